import { randomUUID } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { readConfig } from '../../platform/config/app.config.js';
import { showingProgress } from './progress.js';
import { readable, tableOf } from './readable.js';
import { envelopeOf, givesWay, run } from './run.js';
import { type OpenService, openService } from './service.js';

/** `npm run -s ops -- <command> [flags] [--json]`; `help` lists the commands. */
const words = process.argv.slice(2).filter((word) => word !== '--json');
const isJson = process.argv.includes('--json');
const written = (value: unknown, columns?: readonly string[]): string =>
  `${isJson ? JSON.stringify(value) : columns ? tableOf(value as object[], columns) : readable(value)}\n`;

async function main(): Promise<void> {
  if (givesWay(words)) setPriority(constants.priority.PRIORITY_LOW);
  let open: OpenService | undefined;
  try {
    const { value, columns, isFailure, lasts } = await showingProgress(words, () =>
      run(words, async () => (open ??= await openService(readConfig())).service),
    );
    process.stdout.write(lasts ? `${JSON.stringify(value)}\n` : written(value, columns));
    await lasts;
    if (isFailure) process.exitCode = 1;
  } finally {
    await open?.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(written(envelopeOf(error, words, randomUUID())));
  process.exitCode = 1;
});
