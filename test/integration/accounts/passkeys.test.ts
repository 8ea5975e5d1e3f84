import { Browser, type PageReply } from '../../../faults/page-client.js';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { Passkey } from '../../support/passkey.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const password = 'correct horse battery staple';
const action = '/sign-in/passkey?return_to=%2Faccount';

let people = 0;
async function person() {
  people += 1;
  const email = `person${people}@tests.example`;
  const { id } = await service.app.get(UsersService).create({ email, name: 'Maria', password });
  const passkey = new Passkey();
  await passkey.enrol(service, id);
  return { email, passkey };
}

function optionsIn({ html }: PageReply): { challenge: string; rpId: string } {
  const [, options = ''] = /data-options="([^"]+)"/.exec(html) ?? [];
  return JSON.parse(options.replaceAll('&quot;', '"')) as { challenge: string; rpId: string };
}

/** The password is correct; returns what the page asks the passkey for. */
async function firstStep(email: string) {
  const browser = new Browser(service.url);
  const page = await browser.signIn(email, password, '/account');
  return { options: optionsIn(page), send: (answer: string) => browser.submit(page, action, { answer }) };
}

const opened = { status: 200, path: '/account' };
const refused = { status: 403 };
const honest = () => ({ origin: service.url, counter: 2 });

describe('a passkey response', () => {
  it('signs in once', async () => {
    const { email, passkey } = await person();
    const [one, two] = [await firstStep(email), await firstStep(email)];
    const answer = passkey.answer({ ...honest(), options: one.options });
    expect(await two.send(answer)).toMatchObject(refused);
    expect(await one.send(answer)).toMatchObject(opened);
    expect(await (await firstStep(email)).send(answer)).toMatchObject(refused);
  });

  it('of another person is rejected', async () => {
    const [{ email }, other] = [await person(), await person()];
    const { options, send } = await firstStep(email);
    expect(await send(other.passkey.answer({ ...honest(), options }))).toMatchObject(refused);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['a copy whose counter is behind', { counter: 1 }],
  ])('of %s is rejected', async (_what, changed) => {
    const { email, passkey } = await person();
    const { options, send } = await firstStep(email);
    expect(await send(passkey.answer({ ...honest(), options, ...changed }))).toMatchObject(refused);
  });

  it('sent twice at the same time signs in once', async () => {
    const { email, passkey } = await person();
    const both = [await firstStep(email), await firstStep(email)];
    const replies = await Promise.all(both.map(({ options, send }) => send(passkey.answer({ ...honest(), options }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});
