// Runs all checks in parallel, and prints the output of those that fail.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const checks = [
  // Includes types, in a tenth of the time that tsc takes. The build does not check them.
  'oxlint --type-aware --type-check --deny-warnings',
  'oxfmt --check',
  'depcruise --output-type err --cache --cache-strategy content .',
  'node scripts/check-rings.mjs',
  'node scripts/lint-openapi.mjs',
  'node scripts/check-coverage.mjs',
  'node scripts/check-security.mjs',
  'node scripts/check-migrations.mjs',
  'node scripts/check-language.mjs',
];

// Its types follow from docs/openapi.json, and are checked with the rest.
spawnSync(process.execPath, ['clients/typescript/build.mjs', '--generate'], { stdio: 'inherit' });

await Promise.all(
  checks.map(async (check) => {
    const child = spawn(`${check} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    console.log(`${code === 0 ? 'passed' : 'FAILED'}: ${check}`);
    if (code === 0) return;
    console.log(output);
    process.exitCode = 1;
  }),
);
