import { SourceProblem } from "./source-problem.ts";

/** A text in a language that is not run here, recognised only after it failed to parse. */
export type ForeignText = { readonly language: "shell" | "Python"; readonly line: string; readonly offset: number };

type CodeLine = { readonly line: string; readonly offset: number };

/** Lines that are looked at; a recognisable text shows itself early. */
const searchedLines = 200;
const searchedLength = 65_536;

const commands = new Set(
  (
    "ls cd cat echo grep egrep rg find git gh npm npx pnpm yarn node deno bun python python3 pip pip3 uv curl wget mkdir rmdir rm cp mv " +
    "touch chmod chown ln sudo docker kubectl helm ps kill tail head sed awk ssh scp tar zip unzip make cmake export source bash sh zsh " +
    "apt apt-get brew env pwd whoami date df du sort uniq wc xargs jq tee which printf uname hostname ping systemctl tree diff go cargo"
  ).split(" "),
);

const shellLines = [
  /^\$ +\S/,
  /^(?:\.{1,2}\/|~\/|\/[\w.-]+\/)[\w.-]+(?:\/[\w.-]+)*(?: |$)/,
  /^(?:if|while|until) \[\[? .*\]\]?/,
  /^for \w+ in .*; *do\b/,
  /^(?:then|fi|done|esac|do)\b *;?$/,
  /^[A-Z_][A-Z0-9_]*=\S* +[a-z][\w-]* /,
  /^set -[a-z]+\b/,
];

const pythonLines = [
  /^(?:async )?def +\w+ *\(.*\) *(?:->.*)?:/,
  /^class +\w+ *(?:\(.*\))? *: *(?:#.*)?$/,
  /^(?:async )?for +[\w, ()]+ +in +.+: *(?:#.*)?$/,
  /^(?:if|elif|while|with|except|async with)\b[^{;]*: *(?:#.*)?$/,
  /^(?:else|try|finally|except) *: *(?:#.*)?$/,
  /^from +[\w.]+ +import +/,
  /^import +[a-z_][\w.]*(?: +as +\w+)?(?: *, *[\w.]+)*$/,
  /^(?:return|print|raise|assert|del|lambda|pass)\b.*\b(?:None|True|False|not in|is not|lambda \w*:)(?:\W|$)/,
  /\bf"[^"]*\{|\bf'[^']*\{/,
  /^\w+ *= *(?:None|True|False)$/,
  /^(?:"""|''')/,
];

/** The other language that a fence tag or an interpreter line names; undefined if none does. */
export function declaredForeign(text: string, tag: string): ForeignText | undefined {
  const [first = { line: "", offset: 0 }] = codeLines(text);
  if (/^#!.*\bpython/.test(first.line) || /^(?:py|python|python3|ipython)$/.test(tag))
    return { language: "Python", ...first };
  const isShell = /^#!.*\b(?:ba|z|da|k)?sh\b/.test(first.line) || /^(?:sh|bash|shell|zsh|console|terminal)$/.test(tag);
  return isShell ? { language: "shell", ...first } : undefined;
}

/**
 * Recognises a shell command or Python in a text that is neither JavaScript nor TypeScript, by the lines around the
 * offset where parsing stopped (text in strings elsewhere proves nothing). Undefined if unsure.
 */
export function recogniseForeign(text: string, offset: number): ForeignText | undefined {
  const near = linesNear(codeLines(text), offset);
  const python = near.find(({ line }) => pythonLines.some((pattern) => pattern.test(line)));
  if (python !== undefined) return { language: "Python", ...python };
  const shell = near.find(({ line }) => isCommand(line) || shellLines.some((pattern) => pattern.test(line)));
  return shell === undefined ? undefined : { language: "shell", ...shell };
}

/** The refusal of a text in another language, with the JavaScript way to do the same. */
export function refuseForeign({ language, line, offset }: ForeignText): SourceProblem {
  const shown = JSON.stringify(line.length > 80 ? `${line.slice(0, 79)}…` : line);
  const instead =
    language === "Python"
      ? "Write for example: for (const row of rows) { text(row.name); } and call tools with await tools.call(id, input); end with return <value>."
      : `If a shell tool is in the catalog, call it from the program: const [tool] = await tools.search("run a shell command"); return await tools.call(tool.id, { command: ${shown} });`;
  const what = language === "Python" ? "Python" : "a shell command";
  return new SourceProblem(
    "refused",
    `this looks like ${what} (${shown}), but programs are JavaScript. ${instead}`,
    offset,
  );
}

/** True for a word that starts a shell command. */
export function isCommandName(word: string): boolean {
  return commands.has(word);
}

/** The line with the offset, the one before and, behind a comment of another language, the one after. */
function linesNear(lines: readonly CodeLine[], offset: number): CodeLine[] {
  const isComment = ({ line }: CodeLine): boolean => /^#(?:\s|!|$)/.test(line);
  const at = lines.findLastIndex((line) => line.offset <= offset);
  const current = lines[Math.max(0, at)];
  if (current === undefined) return [];
  const after = isComment(current) ? lines.slice(at + 1).find((line) => !isComment(line)) : undefined;
  return [...lines.slice(Math.max(0, at - 1), at + 1), ...(after === undefined ? [] : [after])].filter(
    (line) => !isComment(line),
  );
}

function isCommand(line: string): boolean {
  if (
    /^(?:export|source) *[{*]|^export (?:default|const|let|var|class|function|async|type|interface|enum|abstract|declare|namespace)\b/.test(
      line,
    )
  )
    return false;
  const [, word = "", next = ""] = /^([a-z][\w-]*)(?:\s+(\S+))?/.exec(line) ?? [];
  // `date = …`, `find => …`: a name that JavaScript uses
  return (
    commands.has(word) && !/^(?:=|[+*/%|&?<>-]?=|=>|\.[\w$]|\(|\[|:|;$)/.test(next) && !/^[\w-]+[.([=:]/.test(line)
  );
}

function codeLines(text: string): CodeLine[] {
  const lines: CodeLine[] = [];
  let offset = 0;
  for (const raw of text.slice(0, searchedLength).split(/\r\n|\n|\r/, searchedLines)) {
    const line = raw.trim().slice(0, 300);
    if (line !== "") lines.push({ line, offset: offset + raw.length - raw.trimStart().length });
    offset += raw.length + (text.startsWith("\r\n", offset + raw.length) ? 2 : 1);
  }
  return lines;
}
