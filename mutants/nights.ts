import { type Edit, type Mutant, mutantsOf, suite } from './mutant.js';

const kept = (only: string) => suite('integration/reservations/occupancy.slow', only);
const available = 'integration/reservations/availability';
const states = (only: string) => suite('integration/reservations/states.slow', only);
const assigned = (only: string) => suite('integration/reservations/assignments.slow', only);
const changed = (only: string) => suite('integration/reservations/change-reservation.slow', only);
const followed = (only: string) => suite('integration/organizations/times-changes.slow', only);

/** Each night has two guards: it is sold twice only without both of them. */
const unlocked: Edit = {
  file: 'src/features/reservations/stay-places.ts',
  find: 'return this.properties.lock(caller, propertyIds);',
  replace: 'return Promise.resolve();',
};
const unconstrained: Edit = {
  file: 'src/platform/migrations/1700000000110-rooms.ts',
  find: 'with &&) where (not exempt);',
  replace: 'with &&) where (false);',
};

const model = suite('integration/reservations/model.slow', 'one client');

/** Which stays take which nights, and the transitions of a stay's states. */
export const nightMutants: Mutant[] = [
  ...mutantsOf('src/features/reservations/stay-places.ts', model, {
    'a unit is booked twice': [
      'reservations.length > 0 ? { reservations }',
      'reservations.length > 9 ? { reservations }',
    ],
    'a unit type is overbooked': [
      'return nights.length > 0 ? { unitTypeId, nights } : undefined;',
      'return undefined;',
    ],
  }),
  ...mutantsOf(
    'src/features/reservations/assignments/assignments.service.ts',
    'integration/reservations/stranded-stays',
    {
      'nothing says that a block leaves a stay without a room': [
        'happened: unitUnassigned }));',
        'happened: unitUnassigned, exempt: false }));',
      ],
    },
  ),
  ...mutantsOf('src/features/reservations/filled-in.ts', 'integration/reservations/stranded-stays', {
    'nothing says that a stay keeps a blocked room': [
      "r.unit_id is not null and r.stay_status <> 'checked_out'",
      'false',
    ],
    'a room that guests are to move to counts from their arrival': ['b.unit_id = s.unit_id', 'b.unit_id = r.unit_id'],
    'a blocked day use has no warning': [
      'select r.unit_id, r.check_in_date, r.check_in_date + 1',
      'select r.unit_id, r.check_in_date, r.check_in_date',
    ],
    'blocks of other nights count': [" and coalesce(b.until_date, 'infinity') > s.from_date", ''],
    'a block of the whole property is of no room': [
      "isBlocked('b.property_id = r.property_id and b.unit_id is null')",
      "isBlocked('false')",
    ],
  }),
  ...mutantsOf('src/features/reservations/stay-changes.service.ts', 'integration/reservations/stranded-stays', {
    'a stay without a room is no longer one too many when it moves': [
      ' || (reservation.exempt && stillWaits(reservation, wanted))',
      '',
    ],
  }),
  ...mutantsOf('src/features/reservations/occupancy.ts', 'integration/reservations/day-use-units', {
    'the unit of a day use that has left is taken': ['earlier(departedAt ?? departureAt, departureAt)', 'departureAt'],
    'a released day use gets hours that others have': ['!before.released && ', ''],
    'the database keeps all hours of a day use': ['isDayUse(stay) && stay.departedAt !== null', 'false'],
  }),
  ...mutantsOf('src/features/reservations/assignments/arrival-assignments.service.ts', assigned('that waited when'), {
    'stays are assigned that nobody has approved': [
      'if (some.has(stay.id)) results',
      'if (some.size > 0 && stay.unitId === null) results',
    ],
  }),
  ...mutantsOf('src/features/reservations/assignments/arrival-assignments.service.ts', assigned('of many arrivals'), {
    'bookings wait until all arrivals are assigned': ['new Slices(fewestInSlice)', 'new Slices(100)'],
  }),
  ...mutantsOf('src/features/reservations/filled-in.ts', 'integration/reservations/day-use-units', {
    'nothing says that a day use is in a room with other guests': ['not ${isFreeDuring(hours)}', 'false'],
    'nothing says that guests should have left the room of a day use': [
      'o.check_out_date < ${today} and ',
      'false and ',
    ],
    'a day use is in its own way': [", except: 'r.id'", ''],
    'guests who should have left are in the way of later day uses': [' and r.check_in_date <= ${today})', ')'],
  }),
  ...mutantsOf('src/features/reservations/filled-in.ts', 'integration/boards/late-and-early', {
    'nothing says that guests are in house before their nights': [' && checkInDate > dayIn(timezone)', ' && false'],
    'nothing says that others are in a room before their nights': [
      "r.status = 'confirmed' and r.stay_status in",
      'false and r.stay_status in',
    ],
    'guests in house are in the way of later stays': [' and o.check_in_date > r.check_in_date)', ')'],
  }),
  ...mutantsOf('src/tenancy/units/free-units.repository.ts', 'integration/boards/late-and-early', {
    'units of guests who came before their nights are listed first': [' union all select r.unit_id from ${early}', ''],
  }),
  ...mutantsOf('src/tenancy/stays/day-use-hours.ts', 'integration/reservations/day-use-units', {
    'a day use gets a room with other guests': ['other.starts < wanted.ends', 'false'],
    'a day use waits for guests who have left': ["${hoursEndOf('o')} at time zone", 'o.departure_at at time zone'],
    'guests in house before their time are not there': ["when s.stay_status = 'checked_in' then '-infinity' ", ''],
    'guests get a room that others leave after they arrive': ['other.ends > ${at}', 'false'],
    'guests get a room that others should have left today': ['least(${at}, other.ends) <= ${now}', 'false'],
    'guests get a room whose guests are late': ['least(${at}, other.ends)', '${at}'],
    'a room that guests left for another one comes last': ['other.here_now', 'true'],
    'a room comes last after its guests have left': ["other.stay_status <> 'checked_out'", 'true'],
  }),
  ...mutantsOf(
    'src/features/reservations/explanations/explanations.service.ts',
    'integration/reservations/day-use-units',
    {
      'a move is offered to a day use that is to have other hours': [' || hasOtherHours(wanted, before)', ''],
    },
  ),
  ...mutantsOf('src/tenancy/units/free-units.repository.ts', assigned('guests should have left come last'), {
    'units that guests should have left are listed first': ['(${awaitsLeaving} || ', '('],
    'units that guests should have left are assigned first': ['order by ${awaitsLeaving}, ', 'order by '],
    'a day use gets a unit that guests should have left': ['and ${isIn}))`', 'and false))`'],
    'guests who should have left keep a unit from day uses of later days': [
      '(?::date > ${now}::date or ',
      '(?::date is null or ',
    ],
  }),
  ...mutantsOf('src/features/reservations/assignments/assignments.service.ts', assigned('for the hours of a day use'), {
    'units are listed for hours in reverse': [' && arrivalAt < departureAt', ''],
    'whoever sees units finds out where a stay is': [" && !may(caller, 'reservations:read')", ' && false'],
    'the time of arrival of a stay is not known': [': own?.arrivalAt', ': undefined'],
    'the hours of a day use are not known': ['? own.departureAt : undefined', '? undefined : undefined'],
    'a stay of nights counts as one long day use': ['own && isDayUse(own) ?', 'own ?'],
    'the end of a day use is ignored for nights': ['(until <= from || untilTime)', 'until <= from'],
  }),
  ...mutantsOf('src/tenancy/units/free-units.repository.ts', assigned('for the hours of a day use'), {
    'a stay is in its own way at night': ["'and s.reservation_id <> $6::uuid'", "''"],
    'units are listed for the check-in time only': ['arrivalAt ?? null', 'null'],
    'a stay is in its own way during hours': ["except: '$6::uuid' }),\n          }),", '}),\n          }),'],
    'a stay keeps others from its unit by its own departure': ["now, except: '$6::uuid'", "now, except: 'null::uuid'"],
  }),
  ...mutantsOf('src/features/reservations/stay-places.ts', 'integration/reservations/blocked-day-uses', {
    'a day use gets a blocked unit': 'if (isDayUse(wanted)) return await this.blockIn(wanted, dayOf(wanted));',
  }),
  ...mutantsOf('src/features/reservations/overlaps/judged-stays.ts', 'integration/reservations/blocked-day-uses', {
    'nothing says that a block leaves a day use without a unit': 'or near.id in (${crowdedOut})',
  }),
  ...mutantsOf('src/features/reservations/stay-places.ts', assigned('removes its nights'), {
    'a blocked unit is booked': ['return block ? { block } : undefined;', 'return undefined;'],
  }),
  ...mutantsOf('src/features/reservations/availability/availability.service.ts', available, {
    'rooms are left beside a stay of the whole property': ['isSold || archivedAt', 'archivedAt'],
    'rooms are left at an archived property': ['isSold || archivedAt', 'isSold'],
    'an archived property can be booked': ['isFree && !archivedAt', 'isFree'],
    'fewer than no rooms are left': ['Math.max(0, ', 'Math.max(-9, '],
    'no night is asked for': 'if (nights <= 0) throw noNightAsked();',
    'more nights are asked for than a stay has': 'if (nights > longestNights) throw stayTooLong();',
  }),
  ...mutantsOf('src/tenancy/stays/nights.repository.ts', available, {
    'a blocked property can be booked': ['!row?.stayed && !block', '!row?.stayed'],
    'a property with stays can be booked': ['!row?.stayed && !block', '!block'],
  }),
  ...mutantsOf('src/tenancy/stays/type-nights.ts', available, {
    'a blocked room counts twice': ["blocked.nights - coalesce(lived_in.nights, '{}')", 'blocked.nights'],
  }),
  ...mutantsOf('src/tenancy/units/unit-rules.service.ts', kept('archived or get another type'), {
    'a unit type loses a unit that its stays need': 'if (nights.length > 0) throw unitTypeIsFull(unitTypeId, nights);',
  }),
  ...mutantsOf('src/features/reservations/stay-states.service.ts', states('check-in'), {
    'guests check in before their arrival date':
      'if (!early && (await this.isBeforeArrival(caller, stay))) throw checkInNotYetDue();',
    'guests check in without a unit': "if (occupiesOf(stay) === 'unit_type') throw unitNotAssigned();",
  }),
  ...mutantsOf('src/features/reservations/stay-states.service.ts', states('between the arrival and now'), {
    'guests check out before they arrive': 'if (departedAt !== undefined && !isPossible) throw departedAtImpossible();',
  }),
  ...mutantsOf('src/features/reservations/stay-moves.service.ts', states('is rejected into a room'), {
    'guests move rooms before they arrive': ' || !isInHouse',
    'guests move into a room for a past night': ' || isTaken',
  }),
  ...mutantsOf('src/features/reservations/stay-moves.service.ts', 'integration/reservations/longer-stays', {
    'guests who should have left cannot have another room since then': [
      ' && (checkOutDate === undefined || asked < end)',
      '',
    ],
    'guests who stay longer move for nights that they have had': [' || asked < end)', ')'],
  }),
  ...mutantsOf('src/features/reservations/stay-places.ts', 'integration/reservations/longer-stays', {
    'guests cannot leave a room that was blocked': ['nightsAdded(segment, held)', '[segment]'],
    'guests stay longer in a room that is blocked': ['nightsAdded(segment, held)', 'nightsAdded(segment, [segment])'],
  }),
  ...mutantsOf(
    'src/features/reservations/explanations/explanations.service.ts',
    'integration/reservations/longer-stays',
    {
      'guests who stay longer do not learn which rooms are free': [
        'return end < from ? [from, end] : [from];',
        'return [];',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/assignments/assignments.service.ts',
    'integration/reservations/assigned-in-house',
    {
      'guests in house have always had the room that they get': [
        "stay.stayStatus === 'checked_in' && stay.unitId",
        'false',
      ],
      'guests leave the room that they are assigned': 'if (left.unitId === unitId) return stay;',
    },
  ),
  ...mutantsOf('src/features/reservations/occupancy.ts', 'integration/reservations/assigned-in-house', {
    'guests who are to stay in their room move anyway': ['&& then.nextRoomFrom) || wanted', '&& null) || wanted'],
  }),
  ...mutantsOf('src/features/reservations/assignments/assignments.service.ts', assigned('requires force'), {
    'a unit of another type is assigned by accident':
      'if (!force && place.unitTypeId !== sold) throw unitOfAnotherType(place.unitTypeId, sold);',
  }),
  ...mutantsOf('src/features/reservations/blocks/blocked-nights.service.ts', assigned('a block'), {
    'a block takes nights from stays': [
      'if (!force && stays.length > 0) throw placeIsTaken(',
      "if (String(force) === 'never') throw placeIsTaken(",
    ],
    'a block takes a unit that its type needs': [
      'if (full && full.nights.length > 0) throw unitTypeIsFull(',
      'if (full && full.nights.length < 0) throw unitTypeIsFull(',
    ],
  }),
  ...mutantsOf('src/tenancy/properties/times-changes.service.ts', followed('acts as the person'), {
    'stays follow their property without an actor': [
      'act ? await this.audit.during(act, work) : await work()',
      'await work()',
    ],
  }),
  ...mutantsOf('src/tenancy/stays/moved-stays.repository.ts', followed('old or its new times'), {
    'a stay gets its new times in its old time zone': 'timezone = $5, ',
  }),
  ...mutantsOf('src/features/reservations/moved-stays.service.ts', followed('returns within a second'), {
    'a stay that follows its property records its event twice': [
      'await this.events.recordAll(caller, changed, () => reservationUpdated);',
      'for (const _ of [1, 2]) await this.events.recordAll(caller, changed, () => reservationUpdated);',
    ],
  }),
  {
    name: 'a unit is assigned while another stay moves into it',
    edits: [unlocked, unconstrained],
    suite: assigned('against a move'),
  },
  {
    name: 'nights are booked while a check-out that freed them is undone',
    edits: [unlocked, unconstrained],
    suite: states('between an undo'),
  },
  {
    name: 'a unit is blocked while its guests check in',
    edits: [
      unlocked,
      {
        file: 'src/features/reservations/overlaps/overlaps.repository.ts',
        find: "where, 'order by id for no key update'",
        replace: "where, 'order by id'",
      },
    ],
    suite: suite('integration/edge/races', 'a block or a check-in'),
  },
  ...mutantsOf('src/features/reservations/blocks/unit-blocks.service.ts', kept('while its type is oversold'), {
    'a stay is flagged although its block has ended':
      'this.events.record(by, unitBlockEnded, block, before);\n    await this.tellStays(by, block, before);',
    'a stay is not flagged when a block leaves it no unit': 'await this.tellStays(caller, block);',
  }),
  ...mutantsOf('src/tenancy/stays/local-moments.ts', changed('clocks show twice'), {
    'an hour that clocks show twice always means the same one': [
      'case when ${soFar} at time zone ${zone} = ${local} then ${soFar} else (${local}) at time zone ${zone} end',
      '(${local}) at time zone ${zone}',
    ],
  }),
  ...mutantsOf(
    'src/tenancy/stays/local-moments.ts',
    suite('integration/reservations/create-reservation', 'a clock change'),
    {
      'today’s UTC offset applies to the whole year': [
        'else (${local}) at time zone ${zone} end',
        "else (${local}) at time zone 'UTC' - (now() at time zone ${zone} - now() at time zone 'UTC') end",
      ],
    },
  ),
  ...mutantsOf('src/tenancy/stays/local-moments.ts', suite('unit/tenancy/local-moments'), {
    'a day has 24 hours': ['today.plus({ days: 1 })', 'today.plus({ hours: 24 })'],
    'a day is a day in UTC': ['DateTime.fromJSDate(at).setZone(timezone)', "DateTime.fromJSDate(at).setZone('UTC')"],
    'days are counted in a local time zone': [
      "DateTime.fromISO(date, { zone: 'utc' })",
      "DateTime.fromISO(date, { zone: 'Pacific/Apia' })",
    ],
  }),
  ...mutantsOf(
    'src/features/reservations/stay-times.ts',
    suite('integration/reservations/create-reservation', 'a clock change'),
    {
      'a skipped time of day moves the arrival to another day': [
        'if (local.arrival_date !== null && local.arrival_date !== checkInDate)',
        'if (local.arrival_at.slice(0, 10) !== checkInDate)',
      ],
    },
  ),
  ...mutantsOf('src/features/tasks/task-planner.ts', 'integration/reservations/moved-back', {
    'guests who go back leave a room to be cleaned': ['if (backIn || ', 'if ('],
    'guests who go back on their first day leave a room to be cleaned': ['backIn ?? firstIn;', 'backIn;'],
    'the room of guests who leave before they change rooms is cleaned twice': [
      ' || isOfRoomKept(task, change.stay)',
      '',
    ],
    'the room of guests who go back is cleaned twice': ['task.unitId === into || ', ''],
  }),
  ...mutantsOf('src/features/tasks/task-planner.ts', states('as a person left it'), {
    'started work is reopened with its stay': '.filter(({ calledOff }) => calledOff)',
  }),
];
