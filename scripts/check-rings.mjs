// Rejects cycles of folders below src: of any two sibling folders, each with all its contents, at most one depends on
// the other, directly or through a third.
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = process.argv[2] ?? '.';

/** A file's references to our own files: imports, workers, styles. */
const named = /(?:\bfrom|\bimport|\bimport\(|\bresolve\(|\bURL\()\s*'(\.[^']+)'/g;

/** For each folder: which of its folders depends on which other, with an import that shows it. */
const inside = new Map();

for (const file of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
  for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(named)) {
    const imported = posix.join(posix.dirname(file), name);
    const [from, to] = [file.split('/'), imported.split('/')];
    const depth = from.findIndex((part, at) => part !== to[at]);
    // One of the two is a file of the folder in which they part.
    if (depth === from.length - 1 || depth === to.length - 1) continue;
    const folder = from.slice(0, depth).join('/');
    if (!inside.has(folder)) inside.set(folder, new Map());
    const dependencies = inside.get(folder);
    if (!dependencies.has(from[depth])) dependencies.set(from[depth], new Map());
    const shown = dependencies.get(from[depth]);
    if (!shown.has(to[depth])) shown.set(to[depth], `${file} → ${imported}`);
  }
}

/** The shortest path from one folder to another, as imports; undefined if there is no path. */
function way(dependencies, from, to) {
  const ways = [[from, []]];
  const seen = new Set();
  for (const [folder, imports] of ways) {
    for (const [next, shown] of dependencies.get(folder) ?? []) {
      if (next === to) return [...imports, shown];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([next, [...imports, shown]]);
    }
  }
  return undefined;
}

for (const [folder, dependencies] of inside) {
  const told = new Set();
  for (const name of dependencies.keys()) {
    const ring = way(dependencies, name, name);
    if (!ring || told.has(name)) continue;
    for (const shown of ring) told.add(shown.split('/')[folder.split('/').length]);
    console.log(`A ring of folders in ${folder}:\n  ${ring.join('\n  ')}`);
    process.exitCode = 1;
  }
}
