import type { EventsService } from '../../../src/platform/events/events.service.js';
import { serviceCaller } from '../../../src/platform/callers/service-caller.js';
import { type FollowerList, Followers, type StayChange } from '../../../src/tenancy/followers/followers.js';
import { RoomState } from '../../../src/tenancy/rooms/room-state.service.js';
import type { Stay } from '../../../src/tenancy/stays/stay.js';

const caller = serviceCaller('org_1', 'member_1', []);
const events = { follow: (work: () => unknown) => work() } as EventsService;
const changeOf = (id: string): StayChange => ({ stay: { id } as Stay });
const nobody: FollowerList = { stays: [], units: [], places: [], admissions: [], departures: [] };

/** Two followers of stays that note their calls; the one in between needs no lock. */
function noting(): { followers: Followers; noted: string[] } {
  const noted: string[] = [];
  const followStays = (name: string) => (_: unknown, changes: readonly StayChange[]) => {
    noted.push(`${name} follows ${changes.map(({ stay }) => stay.id).join(', ')}`);
    return Promise.resolve();
  };
  const lockFor = (name: string) => (_: unknown, changes: readonly StayChange[]) => {
    noted.push(`${name} locks for ${changes.map(({ stay }) => stay.id).join(', ')}`);
    return Promise.resolve();
  };
  const followers = new Followers(events);
  followers.are({
    ...nobody,
    stays: [
      { lockFor: lockFor('tasks'), followStays: followStays('tasks') },
      { followStays: followStays('records') },
      { lockFor: lockFor('codes'), followStays: followStays('codes') },
    ],
  });
  return { followers, noted };
}

describe('followers', () => {
  it('lock for all stays in the order of the list, and only then follow them one after the other', async () => {
    const { followers, noted } = noting();
    await followers.staysChanged(caller, [changeOf('a'), changeOf('b')]);
    expect(noted).toEqual([
      'tasks locks for a, b',
      'codes locks for a, b',
      'tasks follows a, b',
      'records follows a, b',
      'codes follows a, b',
    ]);
  });

  it('lock nothing ahead for a single stay', async () => {
    const { followers, noted } = noting();
    await followers.staysChanged(caller, [changeOf('a')]);
    expect(noted).toEqual(['tasks follows a', 'records follows a', 'codes follows a']);
  });

  it('lock the rooms that guests leave before their tasks, as the completion of a task does', async () => {
    const locked: object[] = [];
    const repository = { lock: (_: string, rooms: object[]) => Promise.resolve(void locked.push(...rooms)) };
    const rooms = new RoomState(repository as never, undefined as never, undefined as never);
    const inHouse = { propertyId: 'property_1', unitId: 'unit_1', stayStatus: 'checked_in' } as Stay;
    await rooms.lockFor(caller, [
      { stay: { ...inHouse, stayStatus: 'checked_out' }, before: inHouse },
      { stay: { ...inHouse, unitId: 'unit_2' }, before: inHouse },
      { stay: inHouse, before: inHouse },
    ]);
    const left = { propertyId: 'property_1', unitId: 'unit_1', withUnits: false };
    expect(locked).toEqual([left, left]);
  });

  it('return the first reason why a place is kept', async () => {
    const followers = new Followers(events);
    const refusing = (message: string) => ({ refusalAt: () => Promise.resolve(new Error(message) as never) });
    const free = { refusalAt: () => Promise.resolve(undefined) };
    followers.are({ ...nobody, places: [free, refusing('a calendar'), refusing('a code')] });
    await expect(followers.refuseArchiving('org_1', { propertyId: 'property_1' })).rejects.toThrow('a calendar');
  });

  it('fail if a process has none, instead of leaving work undone', async () => {
    await expect(new Followers(events).stayChanged(caller, changeOf('a'))).rejects.toThrow('Import FollowersModule');
  });
});
