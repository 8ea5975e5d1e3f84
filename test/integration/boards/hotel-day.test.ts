import { readFileSync } from 'node:fs';
import { codeOf, day } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const page = readFileSync('docs/hotel-day.md', 'utf8');
/** `NAME=$(call METHOD PATH 'BODY' FILTER) # STATUS CODE`, each on a line of its own. */
const line =
  /^(?:(?<name>\w+)=\$\()?call (?<method>\w+) "?(?<path>[^\s"]+)"?(?: '(?<body>\{.*\})')?(?: \.data\.id)?\)? # (?<status>\d+)(?: (?<code>\w+))?$/;

it('runs as docs/hotel-day.md describes', async () => {
  const known: Record<string, string> = { TODAY: day(0), TOMORROW: day(1), LATER: day(3) };
  const filled = (text: string): string =>
    text.replaceAll(/'?\$(\w+)'?/g, (_, name) => known[name as string] as string);
  const lines = page.split('\n').filter((text) => /^(\w+=\$\()?call [A-Z]/.test(text));
  const answers: [string, unknown][] = [];
  const expected: [string, unknown][] = [];
  for (const text of lines) {
    const { name, method, path, body, status, code } = line.exec(text)?.groups ?? {};
    const reply = await tenant.api.send(
      method as string,
      filled(path as string),
      body === undefined ? undefined : (JSON.parse(filled(body)) as object),
    );
    if (name) known[name] = reply.body.data?.id as string;
    answers.push([text, codeOf(reply)]);
    expected.push([text, [Number(status), code ?? 'OK']]);
  }
  expect(answers).toEqual(expected);
  expect(lines.length).toBeGreaterThan(25);
});
