import { globSync, readFileSync } from 'node:fs';
import { type Edit, type Mutant, mutantsOf, suite } from './mutant.js';

interface Found {
  file: string;
  text: string;
  /** Its line and the one before, by which it is found again. */
  line: string;
}

/** Wherever the sources hold a text, in order; what takes a migration back does not count. */
function everywhere(files: string, text: RegExp): Found[] {
  return globSync(files)
    .sort()
    .flatMap((file) =>
      (readFileSync(file, 'utf8').split('async down(')[0] as string)
        .split('\n')
        .flatMap((line, index, lines) =>
          [...line.matchAll(text)].map((match) => ({ file, text: match[0], line: `${lines[index - 1]}\n${line}` })),
        ),
    );
}

const table = /\$\{isolated\('(\w+)'\)\}/g;
const limit = /(caller\.)?propertyIds\?\.map\(uuidIn\)/g;
const scope = /^ {2}scope: '[^']+',$/gm;

const changed = ({ file, text, line }: Found, replace: string): Edit => ({
  file,
  find: line,
  replace: line.replace(text, replace),
});
const shortly = (file: string): string => file.replace(/^src\//, '').replace(/\.ts$/, '');

/** Row security, table by table: with it gone, one organization reads another's rows. The last to make a table counts. */
const policies: Mutant[] = [
  ...new Map(everywhere('src/migrations/*.ts', table).map((found) => [found.text, found])).values(),
].map((found) => ({
  name: `no row security on ${/'(\w+)'/.exec(found.text)?.[1]}`,
  edits: [changed(found, '')],
  tests: [suite('architecture/isolation')],
}));

/** A credential that is limited to some properties sees all of them, query by query. */
const limits: Mutant[] = everywhere('src/**/*.repository.ts', limit).map((found) => ({
  name: `no property limit in ${shortly(found.file)}: ${found.line.split('\n')[1]?.trim()}`,
  edits: [changed(found, 'undefined')],
  tests: [suite('integration/authorization/records')],
  only: 'over rest (a key limited|shows)',
}));

/** One operation of each file needs no permission any more. */
const scopes: Mutant[] = globSync('src/**/*.operations.ts')
  .sort()
  .flatMap((file) => everywhere(file, scope).slice(0, 1))
  .map((found) => ({
    name: `no scope ${/'(.*)'/.exec(found.text)?.[1]} in ${shortly(found.file)}`,
    edits: [changed(found, '')],
    tests: [suite('integration/authorization/matrix')],
    only: 'over rest a key without the scope',
  }));

/** The first wall alone: with row security off, every statement must still name its organization. */
const permissive: Edit = {
  file: 'src/migrations/isolation.ts',
  find: `    using (\${orgColumn} = nullif(current_setting('app.org_id', true), '')::uuid)\n`,
  replace: '    using (true)\n',
};
const walls: Mutant[] = mutantsOf(
  'libs/persistence/table.ts',
  'integration/authorization/records',
  'over rest a key (does|may)',
)({
  'no organization in the queries of tables': [
    "return new Where().and('org_id = ?', uuidIn(orgId));",
    "return new Where().and('true');",
  ],
}).map((mutant) => ({ ...mutant, edits: [permissive, ...mutant.edits] }));

export const tenancy: Mutant[] = [...policies, ...limits, ...scopes, ...walls];
