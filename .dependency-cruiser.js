/**
 * Who may import whom. `npm run check` holds the code to it; test/architecture/boundaries.test.ts plants a violation of
 * every rule, so that a rule which has gone blind is noticed.
 */

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** The floors of src from top to bottom: each imports only from floors below it. src/README.md says what belongs where. */
const floors = ['processes', 'console', 'doors', 'edge', 'features', 'auth', 'outside', 'tenancy', 'platform'];

/** Folders must not depend on each other in a ring either: scripts/check-rings.mjs. */
const floorRules = [
  ...floors
    .slice(1)
    .map((floor, above) =>
      rule(
        `${floor}-imports-downward`,
        'A floor imports only from floors below it.',
        { path: `^src/${floor}/` },
        { path: `^src/(${floors.slice(0, above + 1).join('|')})/` },
      ),
    ),
  rule('on-a-floor', 'Every file is on a floor.', { path: '^src/', pathNot: `^src/(${floors.join('|')})/` }, {}),
  rule(
    'features-are-strangers',
    'A shared need goes down to a floor below, or becomes an event.',
    { path: '^src/features/([^/]+)/' },
    { path: '^src/features/', pathNot: '^src/features/$1/' },
  ),
  rule(
    'no-feature-is-known',
    'What serves all features finds them by their operations; only processes and the pages of the console name them.',
    { path: '^src/', pathNot: '^src/(processes|console|features)/' },
    { path: '^src/features/' },
  ),
  rule(
    'libs-know-no-src',
    'libs/ is free of the domain.',
    { path: '^libs/' },
    { path: '^(src|test|bench|faults|mutants|ormconfig[.])' },
  ),
  rule(
    'libs-by-name',
    'A library is reached by its name alone (#errors), which is its index.ts.',
    { path: '^(src|bench|faults|mutants|ormconfig[.])' },
    { path: '^libs/', dependencyTypesNot: ['aliased-subpath-import'] },
  ),
  rule(
    'libs-by-name-among-themselves',
    'A library is reached by its name alone (#errors), which is its index.ts.',
    // system-database is a second door of persistence, so that this file can say who may use it.
    { path: '^libs/([^/]+)/', pathNot: '^libs/system-database/' },
    { path: '^libs/', pathNot: '^libs/$1/', dependencyTypesNot: ['aliased-subpath-import'] },
  ),
];

/** Packages that one place alone speaks to; tests may use any. */
const homes = {
  '@ai-sdk': '^src/outside/models/openai-compatible/',
  '@modelcontextprotocol': '^src/doors/mcp/',
  '@node-rs/argon2': '^src/tenancy/people/',
  '@simplewebauthn': '^src/auth/accounts/',
  ai: '^src/outside/models/openai-compatible/',
  bullmq: '^libs/jobs/',
  ioredis: '^libs/(limits|jobs)/',
  liquidjs: '^src/features/templates/',
  mjml: '^src/features/templates/mjml/',
  mqtt: '^src/features/devices/providers/zigbee2mqtt/',
  nodemailer: '^src/platform/mail/',
  'oidc-provider': '^src/auth/oauth/',
  opossum: '^src/features/devices/providers/',
  otplib: '^src/auth/accounts/',
  pg: '^(libs/|src/processes/(data-source|persistence[.]module)[.]ts)',
  pino: '^src/platform/logging/',
  'prom-client': '^src/platform/metrics/',
  qrcode: '^src/auth/accounts/',
  'sanitize-html': '^src/features/templates/',
  standardwebhooks: '^src/features/devices/providers/seam/',
  undici: '^libs/outbound/',
};

/** Who may see the rows of all organizations. */
const aboveOrganizations = [
  'src/processes/((ops|retention)/|(cell[.]service|first-start|jobs[.]module|persistence[.]module)[.]ts)',
  'src/(auth|tenancy)/',
  'src/outside/webhooks/',
  'src/outside/connections/hand-overs[.]',
  'src/platform/(audit|events|health|limits|mail)/',
  // A sweep: what is due in any organization.
  'src/features/tasks/recurrence/',
  'src/features/reservations/sweeps/',
  'src/features/reservations/overlaps/crowded-places[.]repository[.]ts',
  'src/features/tasks/attachments/kept-files[.]repository[.]ts',
  'src/features/devices/lines/',
  'src/features/workflows/triggers/',
  // Public addresses come before their organization.
  'src/features/guides/public/',
  // The clock of a test environment is of every organization.
  'src/platform/clock/',
  // What every organization requested, written together.
  'src/platform/requests/request-log[.]',
  // Whole organizations: exported, imported, erased.
  'src/processes/portability/',
  // What is due in any organization, and which of its rows are claimed.
  'libs/jobs/',
  'libs/system-database/',
  'test/',
  'bench/',
  'faults/',
].join('|');

const rulesOfPackages = [
  ...Object.entries(homes).map(([name, home]) =>
    rule(
      `home-of-${name}`,
      `Only one place speaks to ${name}.`,
      { path: '^(src|libs|ormconfig[.])', pathNot: home },
      { path: `node_modules/(@types/)?${name}/` },
    ),
  ),
  rule(
    'system-database',
    'Rows of all organizations are seen only by what comes before or stands above them.',
    { pathNot: `^(${aboveOrganizations})` },
    { path: '^libs/system-database/' },
  ),
];

/** For every file, wherever it is. */
const rulesOfFiles = [
  rule(
    'no-cycles',
    'Neither modules nor types depend on each other in a ring.',
    { path: '^(src|bench|faults|mutants)/' },
    { circular: true },
  ),
  rule(
    'no-cycles-in-libs',
    'The same.',
    { path: '^libs/', pathNot: '^libs/context/' },
    { circular: true, viaOnly: { pathNot: '^libs/context/' } },
  ),
  rule(
    'no-cycles-of-context',
    'A request knows its operation and an operation its request, but as types alone.',
    { path: '^libs/context/' },
    { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
  ),
  rule('no-index', 'Only libraries have an index.ts.', {}, { path: ['^src/index[.]', '^src/.*/index[.]'] }),
  rule(
    'no-drawers',
    'A folder is named after what it does.',
    {},
    {
      path: '^(src|libs|test|bench|faults|mutants)/.*\\b(common|utils|shared)/',
    },
  ),
  rule('nothing-unresolved', 'What cannot be resolved cannot be checked.', {}, { couldNotResolve: true }),
  rule(
    'no-test-code',
    'The service needs no test and no package of development; types alone leave nothing behind.',
    { path: '^(src|libs|ormconfig[.])' },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'nothing-unused',
    'A file that nothing imports is dead.',
    { orphan: true, path: '^(src|libs)/', pathNot: '[.](browser[.]js|d[.]ts)$' },
    {},
  ),
];

export default {
  forbidden: [...floorRules, ...rulesOfPackages, ...rulesOfFiles],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|[.]data|clients/typescript/dist)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      // package.json's "imports" lead to sources under this condition, and to what was built from them otherwise.
      conditionNames: ['source', 'import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.d.ts'],
    },
  },
};
