import type { AnyNode, Program } from "acorn";
import { isCommandName } from "./foreign-language.ts";

/** Commands that take no argument to be useful and that nobody names a namespace after. */
const bareCommands = new Set(["ls", "pwd", "whoami", "env", "ps", "df", "uname", "hostname"]);

/**
 * True for a shell command that happens to parse, such as `ls -la && pwd`: nothing but operators between names, the
 * first name a command. Nothing declares it, so the program could only throw a ReferenceError.
 */
export function isShellCommand(tree: Program): boolean {
  const [first] = tree.body;
  if (first?.type !== "ExpressionStatement") return false;
  let left: AnyNode = first.expression;
  while (left.type === "BinaryExpression" || left.type === "LogicalExpression") left = left.left;
  if (left.type !== "Identifier") return false;
  const isCommand = left === first.expression ? bareCommands.has(left.name) : isCommandName(left.name);
  return isCommand && hasOnlyOperators(tree);
}

function hasOnlyOperators(tree: Program): boolean {
  const pending: AnyNode[] = [...tree.body];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "ExpressionStatement") pending.push(node.expression);
    else if (node.type === "BinaryExpression" || node.type === "LogicalExpression") pending.push(node.left, node.right);
    else if (node.type === "UnaryExpression" || node.type === "UpdateExpression") pending.push(node.argument);
    else if (node.type === "MemberExpression" && !node.computed) pending.push(node.object);
    else if (node.type !== "Identifier" && node.type !== "Literal" && node.type !== "EmptyStatement") return false;
  }
  return true;
}
