import fc from 'fast-check';
import type { Api, Json } from '../../support/api.js';
import { codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { HotelModel, nightsOf, plan, rooms, step, type Step } from './hotel-model.js';

/** A hotel with what was made in it, in the order in which it was made. */
interface Made {
  api: Api;
  hotel: Hotel;
  stays: Json[];
  blocks: Json[];
}

const open = async (api: Api): Promise<Made> => ({ api, hotel: await hotelOf(api, plan), stays: [], blocks: [] });

/** Does a step and notes what it made; undefined where nothing is there to do it to. */
async function perform({ api, hotel, stays, blocks }: Made, asked: Step): Promise<string | undefined> {
  const path = `/properties/${hotel.propertyId}/unit-blocks`;
  if (asked.do === 'book') {
    const reply = await hotel.book(asked.from, asked.from + asked.nights, asked.place);
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
  return stay && codeOf(await hotel.act(stay, asked.do, inputOf(hotel, asked)))[1];
}

function inputOf({ rooms: unitIds, types }: Hotel, asked: Step): object | undefined {
  if (asked.do === 'check-in') return { early: asked.early };
  if (asked.do === 'no-show') return { release: asked.release };
  if (asked.do === 'assign-unit') return { unitId: unitIds[asked.room], force: asked.force };
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

/** One client: every answer is the one that the model expects, and in the end both know the same. */
export async function compare(api: Api, runs: { numRuns: number; maxLength: number; seed: number }): Promise<void> {
  const { numRuns, maxLength, seed } = runs;
  const sequences = fc.array(step, { minLength: maxLength / 2, maxLength, size: 'max' });
  const check = fc.asyncProperty(sequences, async (steps) => {
    const [made, model] = [await open(api), new HotelModel()];
    const found: unknown[] = [];
    const expected: unknown[] = [];
    for (const asked of steps) {
      found.push([asked, await perform(made, asked)]);
      expected.push([asked, model.take(asked)]);
      expect(found.at(-1)).toEqual(expected.at(-1));
    }
    const unitName = new Map(Object.entries(made.hotel.rooms).map(([name, id]) => [id, name]));
    const known = await read(made);
    expect(
      known.map(({ unitId, stayStatus, occupiedFrom, occupiedUntil, overlapping }) => [
        unitName.get(unitId as string) ?? null,
        stayStatus,
        occupiedFrom,
        occupiedUntil,
        overlapping,
      ]),
    ).toEqual(
      model.stays.map((stay) => {
        const span = nightsOf(stay)?.map(day) ?? [null, null];
        return [stay.place in rooms ? stay.place : null, stay.progress, ...span, false];
      }),
    );
  });
  await fc.assert(check, { numRuns, seed, endOnFailure: true });
}

/** Eight clients at the same time: no night is sold twice, no type is oversold, and no stay is lost. */
export async function crowd(api: Api, runs: { numRuns: number; length: number; seed: number }): Promise<void> {
  const { numRuns, length, seed } = runs;
  const each = fc.array(step, { minLength: length, maxLength: length, size: 'max' });
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
    expect(known.map(({ id }) => id as string).sort()).toEqual(made.stays.map(({ id }) => id as string).sort());
    expect(soldTwice(known, made.hotel)).toEqual([]);
  });
  await fc.assert(check, { numRuns, seed, endOnFailure: true });
}

/** The nights on which two stays have a room, something is let beside the whole hotel, or a type has too many. */
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
