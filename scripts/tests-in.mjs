import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * The tests of a file by their full names, joined with ` › ` as in jest: the code of each, with that of the file's own
 * functions that it calls; undefined if the test has no expect().
 */
export function testsIn(path) {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const functions = functionsIn(file);
  const found = new Map();
  walk(file, [], (name, body) => found.set(name, asserts(body) ? codeOf(body, functions, file) : undefined));
  return found;
}

function walk(node, above, visit) {
  const [title, body] = ts.isCallExpression(node) ? node.arguments : [];
  if (title && body && ts.isStringLiteralLike(title) && ts.isFunctionLike(body)) {
    const name = [...above, title.text];
    if (ts.isIdentifier(calledBy(node)) && /^describe$/.test(calledBy(node).text)) {
      return ts.forEachChild(body, (child) => walk(child, name, visit));
    }
    visit(name.join(' › '), body);
    return undefined;
  }
  return ts.forEachChild(node, (child) => walk(child, above, visit));
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

function functionsIn(node, found = new Map()) {
  const { name, initializer = node } = node;
  if (name && ts.isFunctionLike(initializer)) found.set(name.text, initializer);
  ts.forEachChild(node, (child) => void functionsIn(child, found));
  return found;
}

function codeOf(body, functions, file) {
  const called = new Set([body]);
  // Elements that are added while the set is walked are walked too.
  for (const node of called) {
    for (const [word] of node.getText(file).matchAll(/\w+/g)) if (functions.has(word)) called.add(functions.get(word));
  }
  return [...called].map((node) => node.getText(file)).join('\n');
}
