/**
 * Who may import whom. `npm run check` holds the code to it; test/architecture/boundaries.test.ts plants a violation of
 * every rule, so that a rule which has gone blind is noticed.
 */

/** What every feature stands on. */
const ground = ['organizations', 'connections', 'models', 'events', 'messages'];

/** Folders of src that are no features: what meets requests, serves them all, or runs the process. */
const machinery = [
  'accounts',
  'auth',
  'demo',
  'edge',
  'global-entry',
  'health',
  'mail',
  'mcp',
  'metrics',
  'migrations',
  'openapi',
  'ops',
  'pages',
  'retention',
];

const feature = `^src/(?!(?:${[...ground, ...machinery].join('|')})/)([^/]+)/`;

/** Packages that one place alone speaks to; tests may use any. */
const homes = {
  '@ai-sdk': '^src/models/openai-compatible/',
  '@modelcontextprotocol': '^src/mcp/',
  '@node-rs/argon2': '^src/accounts/',
  '@scalar': '^src/openapi/',
  '@simplewebauthn': '^src/accounts/',
  ai: '^src/models/openai-compatible/',
  bullmq: '^libs/jobs/',
  ioredis: '^libs/(limits|jobs)/',
  liquidjs: '^src/templates/',
  mjml: '^src/templates/mjml/',
  mqtt: '^src/devices/providers/zigbee2mqtt/',
  nodemailer: '^src/mail/',
  'oidc-provider': '^src/auth/oauth/',
  opossum: '^src/devices/providers/',
  otplib: '^src/accounts/',
  pg: '^(libs/|ormconfig[.]ts|src/persistence[.]module[.]ts)',
  pino: '^src/logger[.]ts',
  'prom-client': '^src/metrics/',
  qrcode: '^src/accounts/',
  'sanitize-html': '^src/templates/',
  seam: '^src/devices/providers/seam/',
  undici: '^libs/outbound/',
};

/** Who may stand above the organizations. */
const aboveOrganizations = [
  'src/organizations/',
  'src/accounts/',
  'src/auth/',
  'src/connections/',
  'src/events/',
  'src/models/',
  'src/ops/',
  'src/health/',
  'src/migrations/',
  'src/cell[.]service[.]ts',
  'src/first-start[.]ts',
  'src/mail/',
  'src/persistence[.]module[.]ts',
  'src/retention/',
  'libs/system-database/',
  // A sweep: what is due in any organization.
  'src/tasks/recurrence/',
  'src/tasks/attachments/kept-files[.]repository[.]ts',
  'src/devices/commands/',
  'src/workflows/runs/',
  'src/workflows/triggers/',
  'src/devices/lines/',
  'src/devices/access-codes/',
  // Public addresses come before their organization.
  'src/guides/public/',
  'test/',
  'bench/',
  'faults/',
].join('|');

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
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
    rule(
      'features-are-strangers',
      'A shared need goes down into organizations, models or events, or becomes an event; pages stand on src/pages.',
      { path: feature },
      {
        path: '^src/',
        pathNot: `^src/($1/|(${ground.join('|')})/|pages/|(paging|deletion|version|app[.]config|edge/(open|json-body))[.]ts$)`,
      },
    ),
    rule(
      'no-feature-is-known',
      'What features stand on, and what serves them all, knows none of them.',
      { path: `^src/(${[...ground, ...machinery].join('|')})/`, pathNot: '^src/(ops|demo)/' },
      { path: feature },
    ),
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
    rule(
      'no-cycles',
      'Neither modules nor types depend on each other in a ring.',
      { path: '^src/' },
      { circular: true },
    ),
    rule(
      'no-cycles-in-libs',
      'No ring of modules; a request knows its operation and an operation its request, but as types alone.',
      { path: '^libs/' },
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
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|[.]data)/' },
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
