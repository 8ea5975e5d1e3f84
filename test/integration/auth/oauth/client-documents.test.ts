import { jest } from '@jest/globals';
import { Outbound, type OutboundAnswer } from '#outbound';
import { Browser } from '../../../../faults/page-client.js';
import { type Client, authorizeUrl, codeFor, exchange, newProof, openConsent } from '../../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../../support/oauth-world.js';

let world: OAuthWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
afterEach(() => jest.restoreAllMocks());

let named = 0;

/** An application whose document is at its client_id; the outbound request is replaced. */
function published(document: object = {}): { client: Client; fetched: () => number } {
  const url = `https://assistant.example/client-${(named += 1)}.json`;
  const redirectUri = 'https://assistant.example/callback';
  const body = { client_id: url, client_name: 'Documented', redirect_uris: [redirectUri], ...document };
  const reply: OutboundAnswer = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
  const fetch = jest.spyOn(world.service.app.get(Outbound), 'fetch').mockResolvedValue(reply);
  return { client: { client_id: url, redirectUri }, fetched: () => fetch.mock.calls.length };
}

const ask = async (client: Client): Promise<{ status: number; html: string }> => {
  const response = await fetch(authorizeUrl(world.service, client, newProof()), { redirect: 'manual' });
  return { status: response.status, html: await response.text() };
};

describe('a client metadata document', () => {
  it('replaces a registration, and names its source', async () => {
    const { client } = published();
    const [person, proof] = [await world.person(), newProof()];
    const url = authorizeUrl(world.service, client, proof);
    const { html } = await openConsent(new Browser(world.service.url), person, url);
    expect(html).toContain('Documented requests access');
    expect(html).toContain('unverified');
    expect(html).toContain('described at <strong>assistant.example</strong>');
    const code = await codeFor(world.service, client, proof, { ...person, orgId: world.lakeside });
    expect((await exchange(world.service, client, code, proof)).status).toBe(200);
  });

  it.each([
    ['without a name', { client_name: undefined }],
    ['with the client id of another address', { client_id: 'https://other.example/client.json' }],
    ['with a redirect over plain http', { redirect_uris: ['http://assistant.example/callback'] }],
    ['that does not list the redirect', { redirect_uris: ['https://assistant.example/other'] }],
  ])('%s is rejected on a page', async (_name, document) => {
    const { status, html } = await ask(published(document).client);
    expect(status).toBe(400);
    expect(html).toContain('could not be connected');
  });

  it('cannot verify itself', async () => {
    const { client } = published({ verified: true });
    const url = authorizeUrl(world.service, client, newProof());
    const { html } = await openConsent(new Browser(world.service.url), await world.person(), url);
    expect(html).toContain('unverified');
  });

  it('is never fetched from an internal address', async () => {
    for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]']) {
      const { status } = await ask({ client_id: `https://${host}/client.json`, redirectUri: 'https://a.example/cb' });
      expect([host, status]).toEqual([host, 400]);
    }
  });

  it('is fetched at a limited rate', async () => {
    const { client, fetched } = published({ client_name: undefined });
    for (let asked = 0; asked < 30; asked += 1) expect((await ask(client)).status).toBe(400);
    expect(fetched()).toBeGreaterThan(0);
    expect(fetched()).toBeLessThanOrEqual(20);
  });
});
