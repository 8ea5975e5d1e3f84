// The texts that people read in a source file or a page: its strings, its comments, the names of its tests, its prose.
import ts from 'typescript';

/** Strings, templates and JSX text of a file; for a template the parts between its values. */
export function stringsIn(path, source) {
  const file = parsed(path, source);
  const found = [];
  const add = (node, text) => found.push({ at: node.getStart(file), text });
  const visit = (node) => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node)) add(node, node.text);
    else if (ts.isTemplateExpression(node)) {
      add(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
    } else if (ts.isJsxText(node)) add(node, node.text.trim());
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lined(file, found);
}

/** Comments; consecutive lines of // are one text. */
export function commentsIn(path, source) {
  const file = parsed(path, source);
  const ranges = new Map();
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(source, node.pos) ?? []) ranges.set(range.pos, range);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  const found = [];
  let end = -1;
  for (const range of [...ranges.values()].toSorted((a, b) => a.pos - b.pos)) {
    const text = source.slice(range.pos, range.end).replaceAll(/^\s*(?:\/\*+|\*+\/|\*|\/\/)|\*\/$/gm, ' ');
    if (/^\s*$/.test(source.slice(end, range.pos)) && found.length > 0) found.at(-1).text += ` ${text}`;
    else found.push({ at: range.pos, text });
    end = range.end;
  }
  return lined(file, found);
}

/** The names in calls of it, test, describe and similar functions. */
export function testNamesIn(path, source) {
  const file = parsed(path, source);
  const found = [];
  const visit = (node) => {
    const [title, body] = ts.isCallExpression(node) ? node.arguments : [];
    if (title && body && ts.isStringLiteralLike(title) && ts.isFunctionLike(body)) {
      found.push({ at: title.getStart(file), text: title.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lined(file, found);
}

/** The paragraphs of a page, without code. */
export function proseIn(_path, source) {
  const blank = (text) => text.replaceAll(/[^\n]/g, ' ');
  const prose = source.replaceAll(/^```[^]*?^```/gm, blank).replaceAll(/`[^`\n]*`/g, blank);
  const found = [];
  let line = 1;
  for (const paragraph of prose.split(/\n(?=\s*\n|\s*[-*|#]|\s*\d+\. )/)) {
    found.push({ line, text: paragraph.replaceAll(/\s+/g, ' ').trim() });
    line += paragraph.split('\n').length;
  }
  return found;
}

const parsed = (path, source) =>
  ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : undefined);

const lined = (file, found) =>
  found.map(({ at, text }) => ({
    line: file.getLineAndCharacterOfPosition(at).line + 1,
    text: text.replaceAll(/\s+/g, ' ').trim(),
  }));
