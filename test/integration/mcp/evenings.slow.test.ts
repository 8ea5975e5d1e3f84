import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Json } from '../../support/api.js';
import { otherThanShown, type Played, recordedIn } from '../../support/recording.js';
import { startOps } from '../../support/ops.js';
import { tokensOf } from '../../support/tokens.js';
import { type Service, startApp } from '../../support/start-app.js';

/** What people ask in the evening, on the demo data, through an assistant that reads only what core lists. */
let service: Service;
let client: Client;
let listed: Map<string, Json>;
beforeAll(async () => {
  service = await startApp();
  const ops = await startOps(service);
  await ops('org create --name Demo --slug evening');
  await ops('demo --org evening');
  const { key } = await ops('api-key create --org evening --name k --scopes * --rate-per-minute 60000');
  await ops.close();
  client = new Client({ name: 'evening', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const headers = { authorization: `Bearer ${key}` };
  const url = new URL(`${service.url}/mcp?toolsets=core`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  listed = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
}, 60_000);
afterAll(async () => {
  await client.close();
  await service.close();
});

/** Counts the calls of one evening, and the tokens of their arguments and results. */
function evening() {
  const spent = { calls: 0, tokens: 0, played: [] as Played[] };
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Json> => {
    const fields = Object.keys(listed.get(name)?.inputSchema.properties ?? {});
    expect([name, Object.keys(given).filter((field) => !fields.includes(field))]).toEqual([name, []]);
    const { content, isError } = (await client.callTool({ name, arguments: given })) as Json;
    expect([name, isError, content[0].text]).toEqual([name, undefined, expect.any(String)]);
    spent.calls += 1;
    spent.tokens += tokensOf(JSON.stringify({ name, arguments: given })) + tokensOf(content[0].text);
    const { data } = JSON.parse(content[0].text);
    spent.played.push({ name, given, result: data });
    return data;
  };
  return { call, spent };
}

/** Reports the totals, and checks that docs/evenings.md shows the same. */
function report(heading: string, { calls, tokens, played }: { calls: number; tokens: number; played: Played[] }): void {
  process.stdout.write(`${heading}: ${calls} calls, ${tokens} tokens\n`);
  expect(otherThanShown(recordedIn('docs/evenings.md', heading), played)).toEqual([]);
  const asked = expect.getState().currentTestName as string;
  const row = readFileSync('docs/evenings.md', 'utf8').split(`| ${asked}`)[1]?.split('|') ?? [];
  const [, shownCalls, , shownTokens] = row.map((cell) => Number(cell.replace(',', '')));
  expect(shownCalls).toBe(calls);
  // Ids differ each time, and with them their tokens.
  expect(Math.abs((shownTokens as number) / tokens - 1)).toBeLessThan(0.1);
}

it('"Who arrives tomorrow, and is everything clean?"', async () => {
  const { call, spent } = evening();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { arrivals } = await call('getDay', { date: tomorrow });
  expect(arrivals.length).toBeGreaterThan(2);
  for (const { guestName, propertyName, arrivalLocal, cleaningStatus } of arrivals) {
    expect([guestName, propertyName, arrivalLocal]).toEqual(Array.from({ length: 3 }, () => expect.any(String)));
    expect(cleaningStatus).toEqual(expect.any(String));
  }
  report('Who arrives tomorrow', spent);
  expect(spent.calls).toBeLessThanOrEqual(2);
  expect(spent.tokens).toBeLessThanOrEqual(2_500);
});

it('"The heating in Lavender is broken: have it repaired, tell the guest."', async () => {
  const { call, spent } = evening();
  const [unit] = await call('listAllUnits', { q: 'Lavender' });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const [stay] = await call('listReservations', { unitId: unit.id, stayingOn: tomorrow, limit: 1 });
  const members = await call('listMembers', { kind: 'user', status: 'active', limit: 5 });
  const task = await call('createTask', {
    name: 'Repair the heating in Lavender',
    type: 'maintenance',
    priority: 'urgent',
    propertyId: unit.propertyId,
    unitId: unit.id,
    assigneeIds: [members[0].id],
  });
  expect(task).toMatchObject({ status: 'pending', unitId: unit.id, assigneeIds: [members[0].id] });
  // The assistant has no tool that writes to a guest, so it offers the text and the address.
  const guest = await call('getGuest', { guestId: stay.primaryGuest.id });
  expect(guest.email).toContain('@');
  report('The heating in Lavender', spent);
  expect(spent.calls).toBeLessThanOrEqual(5);
  expect(spent.tokens).toBeLessThanOrEqual(3_000);
});

it('"A house guide in Spanish, published."', async () => {
  const { call, spent } = evening();
  const [property] = await call('listProperties', { q: 'Casa Azul', limit: 1 });
  const operations = await call('findOperations', { names: ['saveGuide', 'listTranslations', 'editTranslations'] });
  expect(operations.map(({ effect }: Json) => effect)).toEqual(['write', 'read', 'write']);
  const guide = await call('changeByName', {
    operation: 'saveGuide',
    arguments: {
      name: 'Welcome to Casa Azul',
      sourceLocale: 'en',
      locales: ['es'],
      propertyIds: [property.id],
      sections: [{ title: 'Arrival', blocks: [{ kind: 'text', text: 'The key is in the box beside the door.' }] }],
    },
  });
  const listing = { guideId: guide.id, locale: 'es', limit: 100 };
  const texts = await call('readByName', { operation: 'listTranslations', arguments: listing });
  const spanish: Record<string, string> = {
    'Welcome to Casa Azul': 'Bienvenidos a Casa Azul',
    Arrival: 'Llegada',
    'The key is in the box beside the door.': 'La llave está en la caja junto a la puerta.',
  };
  const edited = await call('changeByName', {
    operation: 'editTranslations',
    arguments: {
      guideId: guide.id,
      texts: texts.map(({ id, sourceText }: Json) => ({ translationId: id, text: spanish[sourceText as string] })),
    },
  });
  expect(edited.map(({ error }: Json) => error)).toEqual([undefined, undefined, undefined]);
  const published = await call('publishGuide', { guideId: guide.id });
  report('A house guide in Spanish', spent);
  const page = await (await fetch(`${service.url}/guides/${published.slug}?locale=es`)).text();
  expect(page).toContain('La llave está en la caja junto a la puerta.');
  expect(spent.calls).toBeLessThanOrEqual(6);
});
