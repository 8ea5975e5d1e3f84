import { generateSync } from 'otplib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { UsersService } from '../../src/tenancy/people/users.service.js';
import { accessibilityIssues } from '../support/accessibility.js';
import { hasBrowser, launchBrowser } from '../support/chromium.js';
import { clock } from '../support/clock.js';
import { owner, type Service, startApp } from '../support/start-app.js';

const password = 'correct horse battery staple';

(hasBrowser ? describe : describe.skip)('account pages in a browser', () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    service = await startApp();
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    problems.length = 0;
    context = await browser.newContext({ baseURL: service.url });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
  });
  afterEach(async () => {
    clock.restore();
    await context.close();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function signIn(email: string, withPassword = password, path = '/account'): Promise<void> {
    await page.goto(path);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(withPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function person(name: string): Promise<string> {
    const email = `${name}@tests.example`;
    await service.app.get(UsersService).create({ email, name, password });
    return email;
  }

  const path = () => new URL(page.url()).pathname;

  it('sign in with only the keyboard', async () => {
    await page.goto('/account');
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Owner' }).waitFor();
    expect(path()).toBe('/account');
    expect(problems).toEqual([]);
  });

  it('enroll an authenticator and ask for its code, without any script', async () => {
    const email = await person('totp');
    await context.close();
    context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
    page = await context.newPage();
    await signIn(email, password, '/account/security');
    await page.getByRole('link', { name: 'Add an authenticator app' }).click();
    const secret = (await page.locator('#secret').textContent()) as string;
    const code = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });
    await page.getByLabel('Code').fill(code(0));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.getByText('The second factor was added.').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signIn(email);
    await page.getByLabel('Code').fill(code(1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'totp' }).waitFor();
  });

  it('enroll a passkey, sign in with it and remove it', async () => {
    const email = await person('passkey');
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(email, password, '/account/security');
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').fill('My laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.getByText('My laptop', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signIn(email, password, '/account/security');
    const sent = page.waitForRequest(`${service.url}/sign-in/passkey?*`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    const answer = new URLSearchParams((await sent).postData() ?? '').get('answer') as string;
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();

    // An intercepted response belongs to a challenge that is used up.
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signIn(email, password, '/account/security');
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await page.locator('form[data-passkey]').evaluate((form: HTMLFormElement, overheard) => {
      (form.elements.namedItem('answer') as HTMLInputElement).value = overheard;
      form.submit();
    }, answer);
    await page.getByText('This passkey was not accepted.').waitFor();
    expect(problems.splice(0)).toEqual([expect.stringContaining('403')]);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();

    // New recovery codes require a factor of the last ten minutes, here the passkey.
    clock.advance(11 * 60_000);
    await page.getByRole('link', { name: 'Create new recovery codes' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    expect(await accessibilityIssues(page, 'confirm-passkey')).toEqual([]);
    await page.getByRole('button', { name: 'Use a passkey' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Create new recovery codes' }).waitFor();
    expect(path()).toBe('/account/security/recovery-codes');

    await page.getByRole('link', { name: 'Security', exact: true }).click();
    await page.getByRole('link', { name: 'Remove My laptop' }).click();
    await page.getByRole('button', { name: 'Remove with a passkey' }).click();
    await page.getByText('The second factor was removed.').waitFor();
    expect(problems).toEqual([]);
  });

  it('ask for a password confirmation, using only the keyboard, and lead back', async () => {
    const email = await person('confirm');
    await signIn(email, password, '/account');
    clock.advance(11 * 60_000);
    await page.goto('/account/security/totp?return_to=%2Faccount');
    const heading = page.getByRole('heading', { name: 'Confirm that it is you' });
    await heading.waitFor();
    expect(await accessibilityIssues(page, 'confirm')).toEqual([]);
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The password is incorrect.').waitFor();
    expect(await accessibilityIssues(page, 'confirm-wrong')).toEqual([]);
    expect(problems.splice(0)).toEqual([expect.stringContaining('403')]);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Add an authenticator app' }).waitFor();
    expect(new URL(page.url()).search).toBe('?return_to=%2Faccount');

    clock.advance(11 * 60_000);
    await page.reload();
    await heading.waitFor();
    await page.getByRole('link', { name: 'Back to your account' }).click();
    expect(path()).toBe('/account');
    expect(problems).toEqual([]);
  });

  it('are accessible in both color schemes, narrow and wide', async () => {
    const found: string[] = [];
    const check = async (name: string) => void found.push(...(await accessibilityIssues(page, name)));
    await page.goto('/sign-in');
    await check('sign-in');
    await signIn(owner.email, 'wrong');
    await check('sign-in-wrong');
    await page.goto('/forgot-password');
    await check('forgot-password');
    await page.goto('/reset-password?token=none');
    await check('error');

    const email = await person('axe');
    await signIn(email, password, '/account/security/totp');
    await check('totp');
    const secret = (await page.locator('#secret').textContent()) as string;
    await page.getByLabel('Code').fill(generateSync({ secret }));
    await page.getByRole('button', { name: 'Continue' }).click();
    await check('recovery-codes');
    await page.goto('/account/security/passkeys');
    await check('passkeys');
    await page.goto('/account/security');
    await check('security');
    await page.getByLabel('Current password').fill(password);
    await page.getByLabel('New password').fill(`${password}!`);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('No other sessions, mailed links').waitFor();
    await check('password-changed');
    await page.goto('/account/confirm-password?return_to=%2Faccount');
    await check('confirm-either');
    await page.goto('/account/security/remove?factor=totp');
    await check('remove');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signIn(email, `${password}!`);
    await check('code');

    await signIn(owner.email, owner.password, '/sign-in');
    await check('account');
    await page.goto('/account/api-keys');
    await page.getByText('Limit it to some properties').or(page.getByText('Rotate or revoke')).first().click();
    await check('api-keys');
    expect(found).toEqual([]);
  }, 120_000);
});
