import { Browser, type PageReply } from '../../../support/browser.js';
import {
  authorizeUrl,
  type Client,
  exchange,
  newProof,
  openConsent,
  type Person,
  registerClient,
} from '../../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../../support/oauth-world.js';

let world: OAuthWorld;
let client: Client;
let person: Person;
beforeAll(async () => {
  world = await openWorld();
  client = await registerClient(world.service);
});
afterAll(() => world.close());
beforeEach(async () => {
  person = await world.person();
});

/** A consent page in a browser, and the clicks on it as they are answered. */
async function opened() {
  const proof = newProof();
  const browser = new Browser(world.service.url);
  const page = await openConsent(browser, person, authorizeUrl(world.service, client, proof));
  const click = async (decision: string) => {
    const body = new URLSearchParams({ form_token: tokenOf(page), decision, organizationId: world.lakeside });
    const { status, headers } = await browser.once(page.url.href, { method: 'POST', body });
    return { status, location: headers.get('location') ?? '' };
  };
  const resume = async (location: string) => {
    const { status, headers } = await browser.once(location);
    const answer = new URL(headers.get('location') ?? 'none:').searchParams;
    return { status, code: answer.get('code') ?? undefined, error: answer.get('error') ?? undefined };
  };
  const isExchanged = async (code = '') => (await exchange(world.service, client, code, proof)).status === 200;
  return { click, resume, isExchanged };
}

const tokenOf = ({ html }: PageReply): string => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';

describe('a decision', () => {
  it('gives one code, however often it is brought back at once', async () => {
    const { click, resume, isExchanged } = await opened();
    const { location } = await click('authorize');
    const answers = await Promise.all(Array.from({ length: 8 }, () => resume(location)));
    const given = answers.filter(({ code }) => code);
    expect(given).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
    expect(await isExchanged(given[0]?.code)).toBe(true);
  });
});
