import { globSync, readFileSync } from 'node:fs';
import { type Edit, type Mutant, mutantsOf, type Suite, suite } from './mutant.js';

interface Found {
  file: string;
  text: string;
  /** Its line and the previous one, which identify it. */
  line: string;
}

/** All occurrences of a text in the sources, in order; the down parts of migrations do not count. */
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

const changed = ({ file, text, line }: Found, replace: string): Edit => ({
  file,
  find: line,
  replace: line.replace(text, replace),
});
/** The suites of the features that reject requests of limited credentials. */
const refusing: Record<string, string> = {
  'src/outside/connections/connections.service.ts': 'integration/connections/connections',
  'src/features/devices/devices.service.ts': 'integration/devices/devices',
  'src/features/reservations/guests.service.ts': 'integration/reservations/guests.slow',
  'src/features/tasks/task-rules.service.ts': 'integration/tasks/create-task',
  'src/outside/by-reference/places/place-savers.ts': 'integration/by-reference/by-reference.slow',
};

/** Limits that the oracle of all operations does not detect, because it uses too few records. */
const elsewhere = [
  'src/features/reservations/by-reference/reconciliations.repository.ts',
  'src/features/reservations/guests.repository.ts: const limits =',
];
const suiteOf = (found: Found): Suite =>
  elsewhere.some((place) => `${found.file}: ${lineOf(found)}`.startsWith(place))
    ? suite('integration/by-reference/by-reference.slow', 'from a limited key')
    : suite('integration/authorization/records.slow', 'over rest (a key limited|shows)');

const shortly = (file: string): string => file.replace(/^src\//, '').replace(/\.ts$/, '');
const lineOf = ({ line }: Found): string => (line.split('\n')[1] as string).trim();

/** A line of the policy that shows, or admits, the organization's own rows. */
const ownRows = (clause: string, end = ''): string =>
  `    ${clause} (\${orgColumn} = nullif(current_setting('app.org_id', true), '')::uuid)${end}\n`;

/**
 * Row security, table by table: without it, one organization reads another's rows. The last migration that creates a
 * table counts.
 */
const policies: Mutant[] = [
  ...new Map(
    everywhere('src/platform/migrations/*.ts', /\$\{isolated\('(\w+)'\)\}/g).map((found) => [found.text, found]),
  ).values(),
].map((found) => ({
  name: `no row security on ${/'(\w+)'/.exec(found.text)?.[1]}`,
  edits: [changed(found, '')],
  suite: suite('architecture/isolation'),
}));

/** The content of the policies, which is one text for all tables. */
const policyTexts: Mutant[] = mutantsOf('src/platform/migrations/isolation.ts', 'architecture/isolation', {
  'row security shows every row': [ownRows('using'), '    using (true)\n'],
  'row security admits every row': [ownRows('with check', ';'), '    with check (true);\n'],
  'row security does not apply to the table owner': '  alter table ${table} force row level security;\n',
});

/** A limited credential sees all properties, query by query. */
const limits: Mutant[] = everywhere('src/**/*.repository.ts', /(caller\.)?propertyIds\?\.map\(uuidIn\)/g).map(
  (found) => ({
    name: `no property limit in ${shortly(found.file)}: ${lineOf(found)}`,
    edits: [changed(found, 'undefined')],
    suite: suiteOf(found),
  }),
);

/** A limited credential changes what applies to all properties, or creates a record without a property. */
const refusals: Mutant[] = everywhere('src/**/*.ts', /if \(caller\.propertyIds.*\) throw \w+\(\);/g).map((found) => ({
  name: `no refusal to a limit in ${shortly(found.file)}: ${lineOf(found)}`,
  edits: [changed(found, '')],
  suite: suite(refusing[found.file] ?? 'integration/authorization/records.slow'),
}));

/**
 * A limited caller may again do everything that applies to every property: in one run, because the oracle names each.
 */
const organizationWide = 'integration/authorization/organization-wide.slow';
const reaches = mutantsOf('libs/operations/reach.ts', organizationWide, {
  'a limited caller reads secrets of the whole organization': [
    "(effect !== 'read' || showsSecret !== undefined)",
    "effect !== 'read'",
  ],
  'a limited caller changes what applies everywhere': [
    "(effect !== 'read' || showsSecret !== undefined)",
    'showsSecret !== undefined',
  ],
});

/** A caller changes a record with a limit other than its own. */
const ownLimits: Mutant[] = [
  ...mutantsOf('src/tenancy/properties/property-limit.ts', organizationWide, {
    'members and keys with any limit are created': ['if (!isWithin) throw', 'if (false) throw'],
    'members and keys without a limit are created': ['=== true;', '!== false;'],
    'members and keys with a wider limit are created': ['limit?.every(', 'limit?.some('],
  }),
  ...mutantsOf('src/auth/api-keys/api-keys.service.ts', organizationWide, {
    'a key with another limit is revoked': '    refuseBeyondLimit(caller, key.propertyIds);\n',
    'a machine does not get the limit of its creator': [
      'machineFor(caller.orgId, name, caller.propertyIds)',
      'machineFor(caller.orgId, name)',
    ],
  }),
  ...mutantsOf('src/auth/applications/applications.service.ts', organizationWide, {
    'applications of members with another limit are revoked': '    await this.refuseUnlessWithin(caller, grant);\n',
  }),
];

/** The same, if it is not one condition for all queries of a repository. */
const otherLimits: Mutant[] = [
  ...mutantsOf('src/outside/models/model-jobs.repository.ts', 'integration/models/model-jobs.slow', {
    'model jobs of hidden properties are shown': ['if (!propertyIds) return where;', 'return where;'],
  }),
  ...mutantsOf('src/outside/models/model-jobs.service.ts', 'integration/models/model-jobs.slow', {
    'model jobs of operations without permission are shown': ['!scope || may(caller, scope)', 'true'],
  }),
  ...mutantsOf('src/features/reservations/guests.repository.ts', 'integration/reservations/guests.slow', {
    'guests with stays elsewhere are erased': ['if (!propertyIds) return false;', 'return false;'],
  }),
  ...mutantsOf('src/tenancy/properties/property-limit.ts', 'integration/organizations/invite-member', {
    'members are limited to properties that do not exist': ['await properties.get(caller, propertyId);', ';'],
  }),
  ...mutantsOf('src/tenancy/properties/property-limit.ts', 'integration/auth/api-keys/create-api-key', {
    'a key sees properties that its creator does not': [
      'asked ?? (caller.propertyIds && [...caller.propertyIds])',
      'asked',
    ],
  }),
];

const changing = suite('integration/authorization/records.slow', 'over rest a key (does|may)');
const openRows: Edit = {
  file: 'src/platform/migrations/isolation.ts',
  find: ownRows('using'),
  replace: '    using (true)\n',
};

/** Only the first guard: if row security shows every row, each statement must still name its organization. */
const walls: Mutant[] = [
  ...mutantsOf('libs/persistence/table-reader.ts', changing, {
    'queries of tables do not filter by organization': ["and('org_id = ?', uuidIn(orgId))", "and('true')"],
  }),
  ...mutantsOf('src/tenancy/stays/stays.repository.ts', changing, {
    'queries of stays do not filter by organization': ["and('org_id = ?', uuidIn(orgId))", "and('true')"],
  }),
  ...mutantsOf(
    'src/platform/events/events.repository.ts',
    suite('integration/authorization/records.slow', 'over rest shows'),
    {
      'the feed does not filter by organization': [".and('e.org_id = ?', uuidIn(orgId))", ".and('true')"],
    },
  ),
  ...mutantsOf(
    'src/platform/audit/audit-entries.repository.ts',
    suite('integration/authorization/records.slow', 'over rest shows'),
    {
      'the audit trail does not filter by organization': ["      .and('e.org_id = ?', uuidIn(orgId))\n", ''],
    },
  ),
].map((mutant) => ({ ...mutant, edits: [openRows, ...mutant.edits] }));

/**
 * No operation needs a permission any more: in one run, because the matrix names each that was not rejected, and each
 * of 150 runs would do the same.
 */
const scoped = [...globSync('src/**/*.operations.ts')].sort().flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/ {2}name: '(\w+)',\n {2}route: '[^']+',\n( {2}scope: '[^']+',\n)/g)].map(
    ([find, operation, scope]) => ({
      operation: operation as string,
      edit: { file, find, replace: find.replace(scope as string, '') },
    }),
  ),
);
const scopes: Mutant = {
  name: 'no operation requires its scope',
  edits: scoped.map(({ edit }) => edit),
  suite: suite('integration/authorization/matrix', 'over rest a key without the scope'),
  named: scoped.map(({ operation }) => `"${operation}: `),
};

export const tenancy: Mutant[] = [
  ...policies,
  ...policyTexts,
  ...limits,
  ...refusals,
  ...reaches,
  ...ownLimits,
  ...otherLimits,
  ...walls,
  scopes,
];
