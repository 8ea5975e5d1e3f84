// Lints docs/openapi.json with redocly.yaml, without a check for a newer linter.
import { spawnSync } from 'node:child_process';

const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/@redocly/cli/bin/cli.js', 'lint'], {
  encoding: 'utf8',
  env: { REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
});
if (status !== 0) console.error(stdout, stderr);
process.exitCode = status ?? 1;
