import { generateSync } from 'otplib';
import type { Browser, PageReply } from '../../faults/page-client.js';

export const secretIn = (page: PageReply): string => /<code id="secret">(\w+)</.exec(page.html)?.[1] as string;

export const codeOf = (secret: string): string => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) });

/** Adds an authenticator app to the account that the browser is signed in to; returns its secret and the last page. */
export async function enrol(browser: Browser, returnTo = '/account/security') {
  const page = await browser.get(`/account/security/totp?${new URLSearchParams({ return_to: returnTo })}`);
  const secret = secretIn(page);
  const done = await browser.submit(page, '/account/security/totp', { code: codeOf(secret) });
  return { secret, done };
}
