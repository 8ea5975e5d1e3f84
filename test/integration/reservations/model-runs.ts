import fc from 'fast-check';
import type { Api, Json } from '../../support/api.js';
import { codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { HotelModel, segmentsOf } from './hotel-model.js';
import { dayUseHours, plan, rooms, step, type Step } from './hotel-steps.js';

/** A hotel with the created records, in the order of their creation. */
interface Made {
  api: Api;
  hotel: Hotel;
  stays: Json[];
  blocks: Json[];
  /** The connection of a system that writes its stays to us. */
  connectionId: string;
}

const open = async (api: Api, connectionId = ''): Promise<Made> => ({
  api,
  hotel: await hotelOf(api, plan),
  stays: [],
  blocks: [],
  connectionId,
});

const hours = ({ from, hour }: { from: number; hour: number }): object => {
  const at = (one: number): string => `${day(from)}T${String(one).padStart(2, '0')}:00:00Z`;
  return { arrivalAt: at(hour), departureAt: at(hour + dayUseHours) };
};

/** Performs a step and notes what it created; undefined if there is nothing to do it to. */
async function perform({ api, hotel, stays, blocks, connectionId }: Made, asked: Step): Promise<string | undefined> {
  const path = `/properties/${hotel.propertyId}/unit-blocks`;
  if (asked.do === 'import') {
    const { room, from, nights, status } = asked;
    const dates = { checkInDate: day(from), checkOutDate: day(from + nights) };
    const name = `${hotel.propertyId}-${asked.name}`;
    const said = { propertyId: hotel.propertyId, unitId: hotel.rooms[room], ...dates, status };
    return codeOf(await api.put(`/connections/${connectionId}/reservations/${name}`, said))[1];
  }
  if (asked.do === 'book' || asked.do === 'day-use') {
    const reply =
      asked.do === 'book'
        ? await hotel.book(asked.from, asked.from + asked.nights, asked.place)
        : await hotel.book(asked.from, asked.from, asked.place, hours(asked));
    if (reply.status === 201) stays.push(reply.body.data);
    return codeOf(reply)[1];
  }
  if (asked.do === 'block') {
    const dates = { from: day(asked.from), until: day(asked.from + asked.nights) };
    const reply = await api.post(path, { ...dates, unitId: hotel.rooms[asked.room], kind: 'out_of_order' });
    if (reply.status === 201) blocks.push(reply.body.data);
    return codeOf(reply)[1];
  }
  if (asked.do === 'end-block') {
    const block = blocks[asked.block];
    return block && codeOf(await api.post(`${path}/${block.id}/end`))[1];
  }
  const stay = stays[asked.stay];
  const verb = asked.do === 'change-room' ? 'move' : asked.do;
  return stay && codeOf(await hotel.act(stay, verb, inputOf(hotel, asked)))[1];
}

function inputOf({ rooms: unitIds, types }: Hotel, asked: Step): object | undefined {
  if (asked.do === 'check-in') return { early: asked.early };
  if (asked.do === 'no-show') return { release: asked.release };
  if (asked.do === 'assign-unit') return { unitId: unitIds[asked.room], force: asked.force };
  if (asked.do === 'change-room') return { unitId: unitIds[asked.room], from: day(asked.from) };
  if (asked.do !== 'move') return undefined;
  const { place = '' } = asked;
  return {
    checkInDate: day(asked.from),
    checkOutDate: day(asked.from + asked.nights),
    ...(unitIds[place] && { unitId: unitIds[place] }),
    ...(types[place] && { unitTypeId: types[place] }),
  };
}

const read = async ({ api, hotel }: Made): Promise<Json[]> =>
  (await api.get(`/reservations?propertyId=${hotel.propertyId}&sort=createdAt&limit=100`)).body.data;

/** One client: every response is the one that the model expects, and in the end both know the same. */
export async function compare(api: Api, runs: { numRuns: number; maxLength: number; seed: number }): Promise<void> {
  const { numRuns, maxLength, seed } = runs;
  const account = { provider: 'push', kind: 'pms', name: 'System', settings: {} };
  const connectionId = (await api.post('/connections', account)).body.data.id as string;
  const sequences = fc.array(step, { minLength: maxLength / 2, maxLength, size: 'max' });
  const check = fc.asyncProperty(sequences, async (steps) => {
    const [made, model] = [await open(api, connectionId), new HotelModel()];
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const asked of steps) {
      found.push([asked, await perform(made, asked)]);
      expected.push([asked, model.take(asked)]);
      expect(found.at(-1)).toEqual(expected.at(-1));
    }
    const names = new Map(
      [...Object.entries(made.hotel.rooms), ...Object.entries(made.hotel.types)].map(([name, id]) => [id, name]),
    );
    const known = (await read(made)).filter(({ source }) => source === 'manual');
    const shown = known.map(({ unitId, stayStatus, segments, overlapping }) => ({
      room: names.get(unitId as string) ?? null,
      stayStatus,
      segments: (segments as Json[]).map((one) => [names.get(one.unitId ?? one.unitTypeId) ?? '', one.from, one.until]),
      // Only another system may sell nights that are taken.
      overlapping: model.imports.size === 0 && overlapping,
    }));
    expect(shown).toEqual(
      model.stays.map((stay) => ({
        room: stay.place in rooms ? stay.place : null,
        stayStatus: stay.progress,
        segments: segmentsOf(stay).map(({ place, from, until }) => [place, day(from), day(until)]),
        overlapping: false,
      })),
    );
  });
  await fc.assert(check, { numRuns, seed, endOnFailure: true });
}

/** Eight clients at the same time: no night is sold twice, no type is oversold, and no stay is lost. */
export async function crowd(api: Api, runs: { numRuns: number; length: number; seed: number }): Promise<void> {
  const { numRuns, length, seed } = runs;
  // What another system sends may be sold twice; the model of one client knows it.
  const own = step.filter((one) => one.do !== 'import');
  const each = fc.array(own, { minLength: length, maxLength: length, size: 'max' });
  const crowds = fc.array(each, { minLength: 8, maxLength: 8 });
  const check = fc.asyncProperty(crowds, async (clients) => {
    const made = await open(api);
    const codes = await Promise.all(
      clients.map(async (steps) => {
        const answers: (string | undefined)[] = [];
        for (const asked of steps) answers.push(await perform(made, asked));
        return answers;
      }),
    );
    expect(codes.flat()).not.toContain('INTERNAL_ERROR');
    const known = await read(made);
    const own = known.filter(({ source }) => source === 'manual');
    expect(own.map(({ id }) => id as string).sort()).toEqual(made.stays.map(({ id }) => id as string).sort());
    expect(soldTwice(known, made.hotel)).toEqual([]);
  });
  await fc.assert(check, { numRuns, seed, endOnFailure: true });
}

/** The nights on which two stays have a room, something is booked beside the whole hotel, or a type is oversold. */
function soldTwice(known: Json[], { types }: Hotel): string[] {
  const taken = known
    .filter(({ status }) => status === 'confirmed')
    .flatMap(
      ({ segments }) => segments as { unitId: string | null; unitTypeId: string | null; from: string; until: string }[],
    );
  const wrong: string[] = [];
  for (let night = -2; night < 9; night += 1) {
    const tonight = taken.filter((one) => one.from <= day(night) && day(night) < one.until);
    const units = tonight.flatMap(({ unitId }) => unitId ?? []);
    if (new Set(units).size < units.length) wrong.push(`${night}: a room twice`);
    if (tonight.length > 1 && tonight.some(({ unitTypeId }) => !unitTypeId)) wrong.push(`${night}: beside the hotel`);
    for (const [type, names] of Object.entries(plan))
      if (tonight.filter(({ unitTypeId }) => unitTypeId === types[type]).length > names.length)
        wrong.push(`${night}: too many of ${type}`);
  }
  return wrong;
}
