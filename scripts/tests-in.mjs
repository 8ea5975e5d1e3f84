import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** The tests of a file: full names, as jest writes them with ` › ` between, and whether the test has an expect(). */
export function testsIn(file) {
  const found = new Map();
  walk(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest), [], found);
  return found;
}

function walk(node, above, found) {
  const [title, body] = ts.isCallExpression(node) ? node.arguments : [];
  if (title && body && ts.isStringLiteralLike(title) && ts.isFunctionLike(body)) {
    const name = [...above, title.text];
    if (ts.isIdentifier(calledBy(node)) && /^describe$/.test(calledBy(node).text)) {
      return ts.forEachChild(body, (child) => walk(child, name, found));
    }
    found.set(name.join(' › '), asserts(body));
    return undefined;
  }
  return ts.forEachChild(node, (child) => walk(child, above, found));
}

/** `describe` of `describe.each(doors)('…', …)`. */
function calledBy(node) {
  let callee = node;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return callee;
}

function asserts(node) {
  if (ts.isCallExpression(node) && calledBy(node).text === 'expect') return true;
  return ts.forEachChild(node, asserts) ?? false;
}
