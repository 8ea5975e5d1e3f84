import { readFileSync } from 'node:fs';
import { breakingChanges } from '../../../scripts/breaking-changes.js';
import { startApp } from '../../support/start-app.js';

const committed = readFileSync('docs/openapi.json', 'utf8');

it('docs/openapi.json matches the service, and breaks no earlier promise', async () => {
  const given = JSON.parse(committed);
  const service = await startApp({ BASE_URL: given.servers[0].url, ENVIRONMENT: 'test' });
  const { body } = await service.api.as(undefined).get('/openapi.json');
  await service.close();
  const faults = breakingChanges(given, body);
  if (committed !== `${JSON.stringify(body, null, 2)}\n`)
    faults.push('docs/openapi.json is stale: run npm run openapi');
  expect(faults).toEqual([]);
});
