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

function cruise(folder: string, ...options: string[]): Cruise {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [program, '.', '--output-type', 'json', ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!stdout) throw new Error(stderr);
  return JSON.parse(stdout) as Cruise;
}

/** As `npm run check` has found it, unless a file, a rule or package.json has changed since. */
const ours = cruise(root, '--cache', '--cache-strategy', 'content');

describe('the boundaries of this checkout', () => {
  const { modules, summary } = ours;

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

describe('the picture of src/README.md', () => {
  const { modules } = ours;
  const floorOf = (file: string): string | undefined => /^(libs)\/|^src\/(\w+)\//.exec(file)?.slice(1).find(Boolean);
  const below = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = floorOf(source);
    if (!from) continue;
    if (!below.has(from)) below.set(from, new Set());
    for (const { resolved } of dependencies) {
      const to = floorOf(resolved);
      if (to && to !== from) below.get(from)!.add(to);
    }
  }
  const isReached = (from: string, to: string): boolean =>
    [...below.get(from)!].some((next) => next === to || isReached(next, to));

  it('matches the imports, except arrows that follow from others', () => {
    const imports = [...below].flatMap(([from, floors]) =>
      [...floors]
        .filter((to) => ![...floors].some((other) => other !== to && isReached(other, to)))
        .map((to) => `${from} --> ${to}`),
    );
    const page = readFileSync(join(root, 'src/README.md'), 'utf8');
    const lines = /## The floors[^]*?flowchart TB\n((?: +[\w &]+(?: --> [\w &]+)+\n)+)/
      .exec(page)![1]!
      .trim()
      .split('\n');
    const drawn = lines.flatMap((line) => {
      const steps = line.split(' --> ').map((step) => step.trim().split(' & '));
      return steps.slice(1).flatMap((tos, at) => steps[at]!.flatMap((from) => tos.map((to) => `${from} --> ${to}`)));
    });
    expect(imports.toSorted()).toEqual(drawn.toSorted());
  });
});

/** For each rule: a file that breaks it, and its imports. */
const violations: Record<string, [file: string, imported: string]> = {
  'libs-know-no-src': ['libs/limits/libs-know-no-src.ts', '../../src/platform/config/version.js'],
  'libs-by-name': ['src/edge/libs-by-name.ts', '../../libs/errors/envelope.js'],
  'libs-by-name-among-themselves': ['libs/limits/among-themselves.ts', '../errors/index.js'],
  'console-imports-downward': ['src/console/pages/console-upward.ts', '../../processes/app.js'],
  'doors-imports-downward': ['src/doors/mcp/doors-upward.ts', '../../processes/app.js'],
  'edge-imports-downward': ['src/edge/edge-upward.ts', '../doors/mcp/tools.js'],
  'features-imports-downward': ['src/features/devices/features-upward.ts', '../../edge/guard.js'],
  'auth-imports-downward': ['src/auth/oauth/auth-upward.ts', '../../edge/guard.js'],
  'outside-imports-downward': ['src/outside/models/outside-upward.ts', '../../auth/accounts/session.js'],
  'tenancy-imports-downward': ['src/tenancy/members/tenancy-upward.ts', '../../outside/webhooks/endpoint.js'],
  'platform-imports-downward': ['src/platform/events/platform-upward.ts', '../../tenancy/properties/property.js'],
  'on-a-floor': ['src/on-a-floor.ts', './platform/config/version.js'],
  'features-are-strangers': ['src/features/devices/features-are-strangers.ts', '../tasks/task.js'],
  'no-feature-is-known': ['src/doors/mcp/no-feature-is-known.ts', '../../features/tasks/task.js'],
  'home-of-@ai-sdk': ['src/features/guides/home-of-ai-sdk.ts', '@ai-sdk/openai-compatible'],
  'home-of-@modelcontextprotocol': ['src/doors/openapi/home-of-mcp.ts', '@modelcontextprotocol/server'],
  'home-of-@node-rs/argon2': ['src/auth/accounts/home-of-argon2.ts', '@node-rs/argon2'],
  'home-of-@simplewebauthn': ['src/auth/oauth/home-of-simplewebauthn.ts', '@simplewebauthn/server'],
  'home-of-ai': ['src/outside/models/home-of-ai.ts', 'ai'],
  'home-of-bullmq': ['src/outside/models/home-of-bullmq.ts', 'bullmq'],
  'home-of-ioredis': ['src/edge/home-of-ioredis.ts', 'ioredis'],
  'home-of-liquidjs': ['src/features/tasks/home-of-liquidjs.ts', 'liquidjs'],
  'home-of-mjml': ['src/features/templates/home-of-mjml.ts', 'mjml'],
  'home-of-mqtt': ['src/features/devices/providers/seam/home-of-mqtt.ts', 'mqtt'],
  'home-of-opossum': ['src/features/devices/commands/home-of-opossum.ts', 'opossum'],
  'home-of-nodemailer': ['src/auth/accounts/home-of-nodemailer.ts', 'nodemailer'],
  'home-of-oidc-provider': ['src/auth/consent/home-of-oidc-provider.ts', 'oidc-provider'],
  'home-of-otplib': ['src/auth/oauth/home-of-otplib.ts', 'otplib'],
  'home-of-pg': ['src/features/tasks/home-of-pg.ts', 'pg'],
  'home-of-pino': ['libs/limits/home-of-pino.ts', 'pino'],
  'home-of-prom-client': ['src/edge/home-of-prom-client.ts', 'prom-client'],
  'home-of-qrcode': ['src/auth/oauth/home-of-qrcode.ts', 'qrcode'],
  'home-of-sanitize-html': ['src/features/tasks/home-of-sanitize-html.ts', 'sanitize-html'],
  'home-of-standardwebhooks': ['src/features/devices/commands/home-of-standardwebhooks.ts', 'standardwebhooks'],
  'home-of-undici': ['src/features/devices/home-of-undici.ts', 'undici'],
  'system-database': ['src/features/tasks/system-database.ts', '#system-database'],
  'no-cycles': ['src/edge/ring.ts', './ring.js'],
  'no-cycles-in-libs': ['libs/limits/ring.ts', './ring.js'],
  'no-cycles-of-context': ['libs/context/ring.ts', './ring.js'],
  'no-index': ['src/edge/no-index.ts', './index.js'],
  'no-drawers': ['src/edge/no-drawers.ts', './utils/text.js'],
  'nothing-unresolved': ['src/edge/nothing-unresolved.ts', './absent.js'],
  'no-test-code': ['src/edge/no-test-code.ts', 'fast-check'],
};

/**
 * Files in their proper folders, and the imports of the planted files: among them one file for each floor, from the
 * top.
 */
const lawful: Record<string, string[]> = {
  'libs/errors/index.ts': ['./envelope.js'],
  'libs/errors/envelope.ts': [],
  'libs/persistence/database.ts': ['pg'],
  'libs/persistence/system-database.ts': ['./database.js'],
  'libs/system-database/index.ts': ['../persistence/system-database.js'],
  'libs/limits/index.ts': ['#errors', 'ioredis'],
  'src/processes/app.ts': ['../doors/mcp/tools.js', '../features/tasks/task.js'],
  'src/doors/mcp/tools.ts': ['../../edge/guard.js'],
  'src/edge/guard.ts': ['../auth/oauth/server.js'],
  'src/features/tasks/task.ts': ['../../outside/webhooks/endpoint.js', '../../platform/config/version.js', '#limits'],
  'src/auth/oauth/server.ts': ['oidc-provider', '../accounts/session.js'],
  'src/auth/accounts/session.ts': ['#system-database'],
  'src/outside/webhooks/endpoint.ts': ['../../tenancy/properties/property.js'],
  'src/tenancy/properties/property.ts': ['../../platform/config/version.js', '#errors'],
  'src/platform/config/version.ts': [],
  'src/edge/index.ts': [],
  'src/edge/utils/text.ts': [],
};

/** A checkout of only these files, each with its imports. */
function plant(files: Record<string, string[]>): string {
  const folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
  for (const [file, imports] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    const lines = imports.map((name, index) => `import * as part${index} from '${name}'; export { part${index} };`);
    writeFileSync(join(folder, file), `${lines.join('\n')}\nexport const value = 1;\n`);
  }
  return folder;
}

describe('a planted violation', () => {
  let found: Cruise['summary']['violations'];
  let rules: string[];

  beforeAll(() => {
    const broken = Object.fromEntries(Object.values(violations).map(([file, imported]) => [file, [imported]]));
    const folder = plant({ ...lawful, ...broken, 'src/edge/nothing-unused.ts': [] });
    try {
      for (const name of ['package.json', 'tsconfig.json', '.dependency-cruiser.js']) {
        cpSync(join(root, name), join(folder, name));
      }
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
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

  it('is planted for every rule', () => {
    expect([...Object.keys(violations), 'nothing-unused'].toSorted()).toEqual(rules.toSorted());
  });

  it('is the only one that is found', () => {
    expect(found.filter(({ from }) => from in lawful)).toEqual([]);
  });
});

describe('a cycle of folders', () => {
  const rings = (folder: string): string => {
    const script = join(root, 'scripts/check-rings.mjs');
    const { stdout, status } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    expect(status).toBe(stdout === '' ? 0 : 1);
    return stdout;
  };
  const ringsOf = (files: Record<string, string[]>): string => {
    const folder = plant(files);
    try {
      return rings(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it('does not exist in this checkout', () => {
    expect(rings(root)).toBe('');
  });

  it('is found even if no file is part of a cycle', () => {
    const files = {
      'src/tenancy/members/member.ts': ['../roles/role.js'],
      'src/tenancy/roles/role.ts': [],
      'src/tenancy/roles/holders.ts': ['../members/member.js'],
    };
    expect(ringsOf(files)).toContain('src/tenancy/members/member.ts → src/tenancy/roles/role.js');
  });

  it('is found through a third folder, in nested folders and between floors', () => {
    const files = {
      'src/features/guides/places/place.ts': ['../../../tenancy/members/member.js'],
      'src/tenancy/members/member.ts': ['../roles/held/role.js'],
      'src/tenancy/roles/role.ts': ['../../platform/mail/mail.js'],
      'src/platform/mail/mail.ts': ['../../features/guides/guide.js'],
    };
    expect(ringsOf(files)).toContain('A ring of folders in src:');
  });

  it('does not include a folder and its own subfolders', () => {
    const files = {
      'src/features/tasks/tasks.ts': ['./comments/comments.js', '../../tenancy/members/member.js'],
      'src/features/tasks/comments/comments.ts': ['../task.js'],
      'src/tenancy/members/member.ts': [],
    };
    expect(ringsOf(files)).toBe('');
  });
});

describe('the sources', () => {
  const texts = globSync('{src,libs}/**/*.{ts,tsx,js}', { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }));
  const holding = (pattern: RegExp): string[] => texts.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  it('inject no module in a cycle', () => {
    expect(holding(/forwardRef/)).toEqual([]);
  });

  it('read the environment in one place, and pass it to a child process in another', () => {
    expect(holding(/process\.env\b/).toSorted()).toEqual([
      'libs/child-environment/child-environment.ts',
      'src/platform/config/app.config.ts',
    ]);
  });

  it('leave leases to #jobs, except those of connections to devices and of idempotency keys', () => {
    const others = holding(/\blease_until\b/).filter((file) => !file.startsWith('src/platform/migrations/'));
    expect(others.toSorted()).toEqual([
      'libs/idempotency/idempotency-records.ts',
      // It names the column by which #jobs claims its rows.
      'src/features/devices/access-codes/access-codes.repository.ts',
      'src/features/devices/lines/device-lines.repository.ts',
    ]);
  });

  it('have the caller as the first parameter', () => {
    const laterCaller = /,\s*(?:\w+|\{[^{}]*\})\??: (?:Request)?(?:Caller|Originator)\b/;
    // The edge and the pages start with the request, and passport's callback with the error.
    const others = /^src\/(edge|platform\/pages)\/|bearer\.strategy/;
    expect(holding(laterCaller).filter((file) => !others.test(file))).toEqual([]);
  });

  it('write no text as HTML on a page, in a script of a page or in a frame', () => {
    expect(
      holding(/dangerouslySetInnerHTML|\b(inner|outer)HTML|insertAdjacentHTML|[^.]document\.write|srcdoc/i),
    ).toEqual([]);
  });

  it('disable no type checks', () => {
    expect(holding(/@ts-(ignore|nocheck|expect-error)/)).toEqual([]);
  });
});
