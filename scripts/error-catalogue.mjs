// Writes the table of codes in docs/errors.md from docs/openapi.json, which contains what the operations declare
// (`refuses`). With --check it writes nothing, and fails if the table is outdated.
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';

const page = 'docs/errors.md';
const [begin, end] = ['<!-- codes: npm run errors -->', '<!-- /codes -->'];

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const rows = Map.groupBy(document['x-refusals'], ({ code, key }) => key ?? code);
const table = [...rows].map(([code, all]) => {
  const sentences = [...new Set(all.map(({ message }) => message))];
  return `| \`${code}\` | ${all[0].status} | ${sentences.join('<br>')} | ${detailsOf(all[0])} |`;
});
/** The fields of its details, by name; the schema describes the rest. */
function detailsOf({ details }) {
  const { properties = {} } = details ? document.components.schemas[details.$ref.split('/').at(-1)] : {};
  return Object.keys(properties)
    .map((name) => `\`${name}\``)
    .join(', ');
}

const given = readFileSync(page, 'utf8');
const [before, after] = [given.slice(0, given.indexOf(begin)), given.slice(given.indexOf(end))];
const { code: written } = await format(
  page,
  [
    `${before}${begin}\n`,
    '| Code | Status | Message | Details |',
    '| --- | --- | --- | --- |',
    ...table,
    `\n${after}`,
  ].join('\n'),
);
if (!process.argv.includes('--check')) writeFileSync(page, written);
else if (written !== given) {
  console.error(`${page} is not current: run npm run errors`);
  process.exitCode = 1;
}
