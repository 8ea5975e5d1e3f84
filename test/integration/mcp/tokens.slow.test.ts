import { Catalogue } from '#operations';
import type { Json } from '../../support/api.js';
import { type Mcp, mcpOf } from '../../support/mcp.js';
import { tokensOf } from '../../support/tokens.js';
import { type Service, startApp } from '../../support/start-app.js';

/** The maximum size of a list in a model's context (o200k_base). */
const most = { aTool: 260, core: 14_000, coreTools: 52, sentences: 100 };

let service: Service;
let mcp: Mcp;
beforeAll(async () => {
  service = await startApp();
  mcp = mcpOf(service.url, service.key);
});
afterAll(() => service.close());

const tokensIn = (value: unknown): number => tokensOf(JSON.stringify(value));
const show = (what: string, tools: Json[]): string => `${what}: ${tools.length} tools, ${tokensIn(tools)} tokens`;

it('fits the context of an assistant', async () => {
  const [whole, core] = [await mcp.tools(), await mcp.tools('?toolsets=core')];
  const largest = whole.map((tool) => [tokensIn(tool), tool.name]).sort(([a], [b]) => b - a);
  const sets = new Set(
    service.app
      .get(Catalogue)
      .all()
      .map(({ feature }) => feature),
  );
  const lines = [show('everything', whole), show('core', core)];
  for (const set of sets) lines.push(show(set, await mcp.tools(`?toolsets=${set}`)));
  lines.push('the largest:', ...largest.slice(0, 10).map(([tokens, name]) => `${name} ${tokens}`));
  process.stdout.write(`${lines.join('\n')}\n`);

  expect(tokensIn(whole) / whole.length).toBeLessThanOrEqual(most.aTool);
  expect(core.length).toBeLessThanOrEqual(most.coreTools);
  expect(tokensIn(core)).toBeLessThanOrEqual(most.core);
});

it('describes a tool in few words besides its schema', async () => {
  const wordy = (await mcp.tools()).filter(
    ({ name, title, description }) => tokensOf(`${name} ${title} ${description}`) > most.sentences,
  );
  expect(wordy.map(({ name }) => name)).toEqual([]);
});
