import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

interface Cruise {
  modules: { source: string; dependencies: { module: string; resolved: string }[] }[];
  summary: {
    violations: { from: string; to: string; rule: { name: string } }[];
    ruleSetUsed: { forbidden: { name: string }[] };
  };
}

const root = resolve(import.meta.dirname, '../..');

function cruise(folder: string): Cruise {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [program, '.', '--output-type', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as Cruise;
}

describe('the boundaries of this checkout', () => {
  const { modules, summary } = cruise(root);

  it('are kept', () => {
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  });

  it('are checked on every module, and on the sources of libraries that are imported by name', () => {
    const own = modules.filter(({ source }) => /^(src|libs)\//.test(source));
    expect(own.length).toBeGreaterThan(80);
    expect(own.length).toBe(globSync('{src,libs}/**/*.{ts,tsx,js}', { cwd: root }).length);
    const named = own.flatMap(({ dependencies }) => dependencies.filter(({ module }) => module.startsWith('#')));
    expect(named.length).toBeGreaterThan(80);
    for (const { resolved } of named) expect(resolved).toMatch(/^libs\/[^/]+\/index\.ts$/);
  });
});

/** For each rule: a file that breaks it, and what that file imports. */
const violations: Record<string, [file: string, imported: string]> = {
  'libs-know-no-src': ['libs/limits/libs-know-no-src.ts', '../../libs/operations/paging.js'],
  'libs-by-name': ['src/edge/libs-by-name.ts', '../../libs/errors/envelope.js'],
  'libs-by-name-among-themselves': ['libs/limits/among-themselves.ts', '../errors/index.js'],
  'features-are-strangers': ['src/devices/features-are-strangers.ts', '../accounts/user.js'],
  'no-feature-is-known': ['src/mcp/no-feature-is-known.ts', '../tasks/task.js'],
  'home-of-@ai-sdk': ['src/guides/home-of-ai-sdk.ts', '@ai-sdk/openai-compatible'],
  'home-of-@modelcontextprotocol': ['src/openapi/home-of-mcp.ts', '@modelcontextprotocol/server'],
  'home-of-@node-rs/argon2': ['src/auth/home-of-argon2.ts', '@node-rs/argon2'],
  'home-of-@scalar': ['src/mcp/home-of-scalar.ts', '@scalar/api-reference'],
  'home-of-@simplewebauthn': ['src/auth/home-of-simplewebauthn.ts', '@simplewebauthn/server'],
  'home-of-ai': ['src/models/home-of-ai.ts', 'ai'],
  'home-of-bullmq': ['src/models/home-of-bullmq.ts', 'bullmq'],
  'home-of-ioredis': ['src/edge/home-of-ioredis.ts', 'ioredis'],
  'home-of-liquidjs': ['src/tasks/home-of-liquidjs.ts', 'liquidjs'],
  'home-of-mjml': ['src/templates/home-of-mjml.ts', 'mjml'],
  'home-of-mqtt': ['src/devices/providers/seam/home-of-mqtt.ts', 'mqtt'],
  'home-of-opossum': ['src/devices/commands/home-of-opossum.ts', 'opossum'],
  'home-of-nodemailer': ['src/accounts/home-of-nodemailer.ts', 'nodemailer'],
  'home-of-oidc-provider': ['src/auth/home-of-oidc-provider.ts', 'oidc-provider'],
  'home-of-otplib': ['src/auth/home-of-otplib.ts', 'otplib'],
  'home-of-pg': ['src/tasks/home-of-pg.ts', 'pg'],
  'home-of-pino': ['libs/limits/home-of-pino.ts', 'pino'],
  'home-of-prom-client': ['src/edge/home-of-prom-client.ts', 'prom-client'],
  'home-of-qrcode': ['src/auth/home-of-qrcode.ts', 'qrcode'],
  'home-of-sanitize-html': ['src/tasks/home-of-sanitize-html.ts', 'sanitize-html'],
  'home-of-seam': ['src/devices/commands/home-of-seam.ts', 'seam'],
  'home-of-undici': ['src/devices/home-of-undici.ts', 'undici'],
  'system-database': ['src/tasks/system-database.ts', '#system-database'],
  'no-cycles': ['src/edge/ring.ts', './ring.js'],
  'no-cycles-in-libs': ['libs/limits/ring.ts', './ring.js'],
  'no-index': ['src/edge/no-index.ts', './index.js'],
  'no-drawers': ['src/edge/no-drawers.ts', './utils/text.js'],
  'nothing-unresolved': ['src/edge/nothing-unresolved.ts', './absent.js'],
  'no-test-code': ['src/edge/no-test-code.ts', 'fast-check'],
};

/** What stands where it belongs, and what the planted files import. */
const lawful: Record<string, string[]> = {
  'libs/errors/index.ts': ['./envelope.js'],
  'libs/errors/envelope.ts': [],
  'libs/persistence/database.ts': ['pg'],
  'libs/system-database/index.ts': ['../persistence/database.js'],
  'libs/limits/index.ts': ['#errors', 'ioredis'],
  'src/paging.ts': [],
  'src/accounts/user.ts': ['#system-database'],
  'src/auth/oauth/server.ts': ['oidc-provider', '../../accounts/user.js'],
  'src/organizations/property.ts': ['#errors'],
  'src/tasks/task.ts': ['../organizations/property.js', '../paging.js', '#limits'],
  'src/edge/index.ts': [],
  'src/edge/utils/text.ts': [],
};

describe('a planted violation', () => {
  let found: Cruise['summary']['violations'];
  let rules: string[];

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
    try {
      for (const name of ['package.json', 'tsconfig.json', '.dependency-cruiser.js']) {
        cpSync(join(root, name), join(folder, name));
      }
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const plant = (file: string, imports: string[]): void => {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        const lines = imports.map((name, index) => `import * as part${index} from '${name}'; export { part${index} };`);
        writeFileSync(join(folder, file), `${lines.join('\n')}\nexport const value = 1;\n`);
      };
      for (const [file, imports] of Object.entries(lawful)) plant(file, imports);
      for (const [file, imported] of Object.values(violations)) plant(file, [imported]);
      plant('src/edge/nothing-unused.ts', []);
      const { summary } = cruise(folder);
      found = summary.violations;
      rules = summary.ruleSetUsed.forbidden.map(({ name }) => name);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  const planted = Object.entries(violations).map(([rule, [file]]) => ({ rule, file }));

  it.each([...planted, { rule: 'nothing-unused', file: 'src/edge/nothing-unused.ts' }])('of $rule is found', (one) => {
    expect(found.map(({ rule, from }) => ({ rule: rule.name, file: from }))).toContainEqual(one);
  });

  it('is planted for every rule there is', () => {
    expect([...Object.keys(violations), 'nothing-unused'].toSorted()).toEqual(rules.toSorted());
  });

  it('is all that is found', () => {
    expect(found.filter(({ from }) => from in lawful)).toEqual([]);
  });
});

describe('the sources', () => {
  const texts = globSync('{src,libs}/**/*.{ts,tsx}', { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }));
  const holding = (pattern: RegExp): string[] => texts.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  it('inject no module into its own ring', () => {
    expect(holding(/forwardRef/)).toEqual([]);
  });

  it('read the environment in one place, and hand it on to a child process in another', () => {
    expect(holding(/process\.env\b/).toSorted()).toEqual([
      'libs/child-environment/child-environment.ts',
      'src/app.config.ts',
    ]);
  });

  it('switch no check of types off', () => {
    expect(holding(/@ts-(ignore|nocheck|expect-error)/)).toEqual([]);
  });
});
