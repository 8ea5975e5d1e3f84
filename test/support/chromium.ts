import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Tests of pages run if the machine has a Chromium, which none of our packages contains. */
export const hasBrowser = existsSync(executablePath);

if (!hasBrowser) {
  process.stderr.write(`SKIPPED: tests of pages in a browser, for there is no Chromium at ${executablePath}.\n`);
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
