import type { Browser, Page } from 'playwright-core';
import { accessibilityIssues } from '../support/accessibility.js';
import { apiOf, type Json } from '../support/api.js';
import { hasBrowser, launchBrowser } from '../support/chromium.js';
import { Mailbox } from '../support/mailbox.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { until } from '../support/feed.js';
import { type Service, startApp } from '../support/start-app.js';

const password = 'correct horse battery staple';
const home = '/console/lakeside-stays';

(hasBrowser ? describe : describe.skip)('a day of a new organization, in a browser and without a command line', () => {
  let service: Service;
  let mailbox: Mailbox;
  let receiver: Receiver;
  let browser: Browser;
  let page: Page;
  let key: string;
  let propertyId: string;
  const problems: string[] = [];

  beforeAll(async () => {
    service = await startApp({ SIGN_UP: 'open', OUTBOUND_ALLOW: '127.0.0.1' });
    mailbox = new Mailbox(service.config.dataDir);
    receiver = await startReceiver();
    browser = await launchBrowser();
    page = await (await browser.newContext({ baseURL: service.url })).newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => problems.push(error.message));
  });
  afterAll(async () => {
    await browser.close();
    await receiver.close();
    await service.close();
    expect(problems).toEqual([]);
  });

  const go = (path: string) => page.goto(path.startsWith('/') ? path : `${home}/${path}`);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const open = (text: string | RegExp) => page.locator('summary', { hasText: text }).first().click();
  const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
  const path = () => new URL(page.url()).pathname;
  const issues = (name: string) => accessibilityIssues(page, name);

  async function fill(fields: Record<string, string>): Promise<void> {
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).first().fill(text);
  }

  it('starts with signing up, naming the organization and inviting a colleague', async () => {
    const found: string[] = [];
    const email = 'maria@tests.example';
    await go('/');
    found.push(...(await issues('start')));
    await page.getByRole('link', { name: /Create an organization/ }).click();
    await fill({ 'Your name': 'Maria Silva', 'Email address': email });
    await press('Send a link');
    await sees(`We sent a link to ${email}`);
    found.push(...(await issues('sign-up')));
    await go(await mailbox.link(email, /Create your organization/));
    found.push(...(await issues('sign-up-confirm')));
    await fill({ 'Name of the organization': 'Lakeside Stays', Password: password });
    await press('Create organization');
    await page.waitForURL(home);
    await go('members');
    await open('Invite a person');
    await fill({ 'Email address': 'nora@tests.example', Name: 'Nora Novak' });
    await page.locator('#inviteMember--roleId').selectOption({ label: 'coordinator' });
    await press('Send the invitation');
    await sees('The invitation was sent.');
    expect(await mailbox.link('nora@tests.example', /Invitation/)).toContain('token=');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(found).toEqual([]);
  }, 60_000);

  it('continues with a property, its rooms, a booking, a room for it, and the guests at the front desk', async () => {
    await go('properties');
    await open('Add a property');
    await fill({ Name: 'Hotel Lakeside', 'Time zone': 'Europe/Zurich', 'Check-in from': '00:01' });
    await press('Add the property');
    await sees('The property was added.');
    propertyId = path().split('/').at(-1) as string;
    const types = page.locator('form', { has: page.getByRole('button', { name: 'Add the room type' }) });
    await types.getByLabel('Name').fill('Double room');
    await types.getByLabel('Code').fill('DBL');
    await press('Add the room type');
    for (const name of ['101', '102']) {
      const rooms = page.locator('form', { has: page.getByRole('button', { name: 'Add the room', exact: true }) });
      await rooms.getByLabel('Name or number').fill(name);
      await rooms.getByLabel('Floor').fill('1');
      await press('Add the room');
      await page.locator('td strong', { hasText: name }).waitFor();
    }
    await go('reservations');
    await page.getByRole('link', { name: 'New reservation' }).click();
    await press('Show free rooms');
    await page.getByLabel('Room', { exact: true }).selectOption({ label: 'Any Double room (2 free)' });
    await fill({ 'Name of the guest': 'Ada Blum', Adults: '2' });
    await press('Create the reservation');
    await sees('The reservation was created.');
    const stay = page.url();
    await go('reservations/new');
    await press('Show free rooms');
    expect(await page.getByLabel('Room', { exact: true }).locator('option').allTextContents()).toEqual([
      'Any Double room (1 free)',
      '101, Double room',
      '102, Double room',
    ]);
    await fill({ Departure: await page.getByLabel('First night').inputValue() });
    await press('Show free rooms');
    await fill({ From: '10:00', Until: '16:00' });
    await press('Show rooms that are free then');
    await page.getByLabel('Room', { exact: true }).selectOption({ label: 'All of Hotel Lakeside' });
    await page.goto(stay);
    await open('Assign a room');
    await page.getByLabel('Room', { exact: true }).selectOption({ label: '102, Double room' });
    await press('Assign a room');
    await sees('The room was assigned.');
    await go('today');
    await page.locator('.rooms').getByText('Ada Blum').waitFor();
    await press('Check in Ada Blum');
    await sees('The guests were checked in.');
    await page.goto(stay);
    await press('Check out');
    await sees('The guests were checked out.');
  }, 60_000);

  it('creates a key, watches its first request, and finds out why another was rejected', async () => {
    await go('keys/new');
    await fill({ Name: 'Lobby display' });
    await press('Create the key');
    key = (await page.locator('#key').textContent()) as string;
    const api = apiOf(service.url, key);
    expect((await api.get('/properties')).status).toBe(200);
    expect((await api.post('/tasks', { name: 'Sweep' })).status).toBe(403);
    const ofTheKey = page.locator('tbody tr', { hasText: 'Lobby display' });
    // The log is written after the responses.
    do await go('requests');
    while ((await ofTheKey.count()) < 2);
    await ofTheKey.filter({ hasText: 'listProperties' }).getByText('200').waitFor();
    await ofTheKey.filter({ hasText: 'createTask' }).getByRole('link').click();
    await page.getByRole('link', { name: 'Its entry in the list of errors' }).click();
    await page.waitForURL(/\/docs\/guides\/errors#/);
    expect(await page.locator(new URL(page.url()).hash).count()).toBe(1);
  }, 60_000);

  it('adds an endpoint, sees a delivery fail, and sends it again', async () => {
    receiver.answer = (_, response) => response.writeHead(500).end('out of order');
    await go('webhooks');
    await open('Add an endpoint');
    await fill({ Address: receiver.url });
    await press('Add the endpoint');
    await page.locator('#key').waitFor();
    await go('webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await press('Send a test');
    await receiver.count(1);
    await page.locator('tbody tr', { hasText: '500' }).getByRole('link').click();
    await sees('out of order');
    receiver.answer = (_, response) => response.writeHead(204).end();
    await press('Send again');
    await sees('The delivery was sent again.');
    await page.getByRole('link', { name: 'its endpoint' }).click();
    await page.locator('tbody tr', { hasText: '204' }).waitFor();
  }, 60_000);

  it('approves what an assistant requests, and undoes it', async () => {
    await go('approvals');
    await page.getByRole('link', { name: 'Approval rules' }).click();
    await page.getByLabel('Applies to').selectOption('updateProperty');
    await press('Add the rule');
    await go('keys/new');
    await fill({ Name: 'Assistant' });
    await page.locator('[name=preset][value=everything]').check();
    await press('Create the key');
    const assistant = apiOf(service.url, (await page.locator('#key').textContent()) as string);
    const asked = await assistant.patch(`/properties/${propertyId}`, { checkOutTime: '09:00' });
    expect(asked.status).toBe(202);
    await go('approvals');
    await page.locator('main tbody').getByRole('link').first().click();
    await press('Approve');
    await sees(/Approved/);
    const timeOf = async () => ((await assistant.get(`/properties/${propertyId}`)).body.data as Json).checkOutTime;
    await until(timeOf, (time) => time === '09:00');
    await go(`audit?targetId=${propertyId}`);
    const change = page.locator('tbody tr', { hasText: 'Check out time' }).first();
    await change.locator('summary', { hasText: 'Undo' }).click();
    await change.getByRole('button', { name: /^Undo/ }).click();
    await sees('Undone: property.');
    expect(await timeOf()).toBe('11:00');
  }, 60_000);

  it('ends with an export, and with closing the organization, which its only owner cannot leave', async () => {
    const found: string[] = [];
    await go('settings');
    await page.getByRole('link', { name: 'a page of their account' }).click();
    await press('Request an export');
    await sees('The export was requested.');
    const download = page.getByRole('link', { name: 'Download' });
    for (let tries = 0; tries < 50 && (await download.count()) === 0; tries += 1) await page.reload();
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(file.suggestedFilename()).toBe('lakeside-stays.ndjson.gz');
    found.push(...(await issues('organization')));
    await fill({ 'Name of the organization': 'Lakeside Stays' });
    await press('Close Lakeside Stays');
    await page.getByRole('button', { name: 'Reopen Lakeside Stays' }).waitFor();
    found.push(...(await issues('organization-closed')));
    expect((await apiOf(service.url, key).get('/properties')).status).toBe(401);
    await press('Reopen Lakeside Stays');
    await sees('The organization was reopened.');
    expect((await apiOf(service.url, key).get('/properties')).status).toBe(200);
    await go('/account/security');
    await page.getByRole('heading', { name: 'Recent sign-ins' }).waitFor();
    await go('/account');
    found.push(...(await issues('account')));
    await page.getByRole('link', { name: 'Leave Lakeside Stays' }).click();
    found.push(...(await issues('leave')));
    await press('Leave Lakeside Stays');
    await sees('You are the last owner of Lakeside Stays.');
    await go('/account/delete');
    found.push(...(await issues('delete')));
    expect(found).toEqual([]);
  }, 60_000);
});
