import { codeOf } from '../../support/hotel.js';
import { type Service, startApp } from '../../support/start-app.js';
import { access } from './access.js';
import { byReference } from './by-reference.js';
import { doorsAndCodes } from './doors-and-codes.js';
import { saves } from './saves.js';
import { stays } from './stays.js';
import { work } from './work.js';
import { openWorld, type World } from './world.js';
import { writing } from './writing.js';

let service: Service;
let world: World;
beforeAll(async () => {
  service = await startApp({ WORKER: 'off' });
  world = await openWorld(service);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await service.close();
});

/** What no test of a feature provokes. */
it.each([
  ['operations that refer to a record of a connection', byReference],
  ['stays and blocks', stays],
  ['saves by reference', saves],
  ['tasks, devices and connections', work],
  ['locks and access codes', doorsAndCodes],
  ['guides, templates and workflows', writing],
  ['members, keys, endpoints and the feed', access],
])('returns %s as it declares', async (_, casesOf) => {
  const faults: string[] = [];
  for (const [operation, code, call] of await casesOf(world, service)) {
    const reply = await call();
    if (codeOf(reply)[1] !== code) faults.push(`${operation}: not ${code}, but ${JSON.stringify(reply.body)}`);
  }
  expect(faults).toEqual([]);
});
