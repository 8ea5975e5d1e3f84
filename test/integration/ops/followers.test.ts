import { createService } from '../../../src/processes/ops/service.js';
import { type FollowerList, Followers } from '../../../src/tenancy/followers/followers.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const namesIn = (list: FollowerList): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(list).map(([kind, followers]) => [
      kind,
      (followers as object[]).map((follower) => follower.constructor.name),
    ]),
  );

/** Also the order in which they lock, so a change of it applies to every process. */
const everyone = {
  stays: ['MovedStays', 'RoomState', 'TaskPlanner', 'CodeFollower', 'WaitingRuns'],
  places: ['ConnectedPlaces', 'RecurrencesService', 'CodeFollower'],
  admissions: ['ApplicationsService'],
  departures: ['ApiKeyEndings'],
  units: ['CrowdedPlaces'],
};

describe('followers', () => {
  it("are the same, in the same order, in the service and in operators' commands", async () => {
    const { config, keyring, database } = service;
    const ops = await createService({ config, keyring, databaseUrl: database.url });
    try {
      expect(namesIn(service.app.get(Followers, { strict: false }).list)).toEqual(everyone);
      expect(namesIn(ops.get(Followers, { strict: false }).list)).toEqual(everyone);
    } finally {
      await ops.close();
    }
  });
});
