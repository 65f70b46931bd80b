/**
 * The part of the WebAssembly JavaScript interface that Node offers and this project uses. Node's own types leave it
 * to the "dom" library, which would bring a browser's globals along and hide mistakes.
 */
declare namespace WebAssembly {
  type ImportExportKind = "function" | "global" | "memory" | "table";
  type ValueType = "anyfunc" | "externref" | "f32" | "f64" | "i32" | "i64" | "v128";
  type ExportValue = ((...args: never[]) => unknown) | Global | Memory | Table;
  type Exports = Record<string, ExportValue>;
  type ImportValue = ExportValue | number | bigint;
  type ModuleImports = Record<string, ImportValue>;
  type Imports = Record<string, ModuleImports>;

  interface ModuleExportDescriptor {
    readonly name: string;
    readonly kind: ImportExportKind;
  }

  interface ModuleImportDescriptor extends ModuleExportDescriptor {
    readonly module: string;
  }

  interface MemoryDescriptor {
    readonly initial: number;
    readonly maximum?: number;
    readonly shared?: boolean;
  }

  interface TableDescriptor {
    readonly element: "anyfunc" | "externref";
    readonly initial: number;
    readonly maximum?: number;
  }

  interface GlobalDescriptor {
    readonly value: ValueType;
    readonly mutable?: boolean;
  }

  interface WebAssemblyInstantiatedSource {
    readonly instance: Instance;
    readonly module: Module;
  }

  class Module {
    constructor(bytes: ArrayBufferView | ArrayBuffer);
    static customSections(module: Module, sectionName: string): ArrayBuffer[];
    static exports(module: Module): ModuleExportDescriptor[];
    static imports(module: Module): ModuleImportDescriptor[];
  }

  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }

  class Memory {
    constructor(descriptor: MemoryDescriptor);
    readonly buffer: ArrayBuffer;
    grow(deltaPages: number): number;
  }

  class Table {
    constructor(descriptor: TableDescriptor, value?: unknown);
    readonly length: number;
    get(index: number): unknown;
    grow(delta: number, value?: unknown): number;
    set(index: number, value?: unknown): void;
  }

  class Global {
    constructor(descriptor: GlobalDescriptor, value?: unknown);
    value: unknown;
    valueOf(): unknown;
  }

  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}

  function compile(bytes: ArrayBufferView | ArrayBuffer): Promise<Module>;
  function validate(bytes: ArrayBufferView | ArrayBuffer): boolean;
  function instantiate(bytes: ArrayBufferView | ArrayBuffer, imports?: Imports): Promise<WebAssemblyInstantiatedSource>;
  function instantiate(module: Module, imports?: Imports): Promise<Instance>;
}
