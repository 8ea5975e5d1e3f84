import { jest } from '@jest/globals';
import { SystemDatabase } from '#system-database';
import { InteractionsRepository } from '../../../../src/auth/oauth/interactions.repository.js';
import { Browser, type PageReply } from '../../../../faults/page-client.js';
import { until } from '../../../support/feed.js';
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

const approvals = async (): Promise<number> => {
  const [row] = await world.service.app
    .get(SystemDatabase)
    .rows(`select count(*)::int from oauth_grants g join users u on u.id = g.user_id where u.email = $1`, [
      person.email,
    ]);
  return row?.count as number;
};

/** Until all have found what is under way, none continues. */
function findAllAtOnce(times: number) {
  const interactions = world.service.app.get(InteractionsRepository);
  const find = interactions.find.bind(interactions);
  let found = 0;
  return jest.spyOn(interactions, 'find').mockImplementation(async (uid) => {
    const interaction = await find(uid);
    found += 1;
    return await until(
      () => Promise.resolve(interaction),
      () => found >= times,
    );
  });
}

describe('a decision', () => {
  it('issues one code, however many parallel requests bring it back', async () => {
    const { click, resume, isExchanged } = await opened();
    const { location } = await click('authorize');
    const together = findAllAtOnce(8);
    const answers = await Promise.all(Array.from({ length: 8 }, () => resume(location)));
    together.mockRestore();
    const given = answers.filter(({ code }) => code);
    expect(given).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
    expect(await isExchanged(given[0]?.code)).toBe(true);
  });

  it('is taken once: further clicks on Authorize go where the first one went', async () => {
    const { click, resume, isExchanged } = await opened();
    const clicks = await Promise.all(Array.from({ length: 4 }, () => click('authorize')));
    const [{ location } = { location: '' }] = clicks;
    expect(clicks).toEqual(Array.from({ length: 4 }, () => ({ status: 303, location })));
    expect(await approvals()).toBe(1);
    expect(await isExchanged((await resume(location)).code)).toBe(true);
  });

  it('is unaffected by a click while the browser brings it back', async () => {
    const { click, resume, isExchanged } = await opened();
    const { location } = await click('authorize');
    const [answer, ...late] = await Promise.all([resume(location), click('authorize'), click('authorize')]);
    for (const { status } of late) expect([303, 404]).toContain(status);
    expect((await click('authorize')).status).toBe(404);
    expect(await approvals()).toBe(1);
    expect(await isExchanged(answer.code)).toBe(true);
  });

  it.each([
    ['authorize', 'cancel', { code: expect.stringMatching(/^ac_us_/), error: undefined }, 1],
    ['cancel', 'authorize', { code: undefined, error: 'access_denied' }, 0],
  ])('to %s cannot be changed to %s', async (first, second, answer, approved) => {
    const { click, resume } = await opened();
    const { location } = await click(first);
    expect((await click(second)).status).toBe(404);
    expect(await approvals()).toBe(approved);
    expect(await resume(location)).toMatchObject(answer);
  });
});
