// Writes the table of codes in docs/errors.md from the sources: every code that a conflict, a rejection or a refusal has
// of its own, with its sentence. With --check it writes nothing, and fails where the table is not current.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';

const page = 'docs/errors.md';
const [begin, end] = ['<!-- codes: npm run errors -->', '<!-- /codes -->'];

const text = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/.source;
const name = /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/.source;
const texts = `(?:[^'"\`;()]|${text})*?`;
/** One code, or a choice of them, beside one sentence, or a choice of them. */
const calls = [
  { status: '409', pattern: new RegExp(`\\bconflict\\(\\s*(?<codes>[^,\`()]*),\\s*(?<words>${text})`, 'g') },
  { status: '400', pattern: new RegExp(`\\brejection\\(\\s*(?<codes>${name}),\\s*(?<words>${text})`, 'g') },
  { status: '403', pattern: new RegExp(`\\bforbidden\\((?<words>${texts})(?<codes>${name})\\s*[,)]`, 'g') },
];

const rows = new Map();
for (const file of globSync('{src,libs}/**/*.ts').toSorted()) {
  const source = readFileSync(file, 'utf8');
  for (const { status, pattern } of calls) {
    for (const { groups } of source.matchAll(pattern)) {
      for (const [, code] of groups.codes.matchAll(new RegExp(name, 'g'))) {
        const row = rows.get(code) ?? { status, sentences: new Set() };
        for (const [literal] of groups.words.matchAll(new RegExp(text, 'g'))) {
          const sentence = literal.slice(1, -1);
          if (sentence.includes(' ')) row.sentences.add(sentence.replaceAll(/\$\{[^}]*\}/g, '…'));
        }
        rows.set(code, row);
      }
    }
  }
}

const table = [...rows]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, { status, sentences }]) => `| \`${code}\` | ${status} | ${[...sentences].join('<br>')} |`);
const given = readFileSync(page, 'utf8');
const [before, after] = [given.slice(0, given.indexOf(begin)), given.slice(given.indexOf(end))];
const { code: written } = await format(
  page,
  [`${before}${begin}\n`, '| Code | Status | Message |', '| --- | --- | --- |', ...table, `\n${after}`].join('\n'),
);
if (!process.argv.includes('--check')) writeFileSync(page, written);
else if (written !== given) {
  console.error(`${page} is not current: run npm run errors`);
  process.exitCode = 1;
}
