import { type Mutant, mutantsOf, suite } from './mutant.js';

const boards = (only: string) => suite('integration/boards/boards.slow', only);

/** What boards show, and to whom. */
export const boardMutants: Mutant[] = [
  ...mutantsOf('src/features/boards/boards.service.ts', boards('limited key'), {
    'a day is shown beyond the limit': [': caller.propertyIds;', ': null;'],
    'the day of a hidden property is shown': [
      'await this.properties.get(caller, propertyId)',
      'await this.organizations.get(caller)',
    ],
  }),
  ...mutantsOf('src/features/boards/board.repository.ts', boards('open work and readiness'), {
    'boards show work to callers who may not read it': ['where $6 and ', 'where $6 is not null and '],
  }),
  ...mutantsOf('src/features/boards/board.repository.ts', boards('by floor and name'), {
    'a board looks more than two weeks ahead': ['+ 14 and ${isToCome}\n    order', '+ 99 and ${isToCome}\n    order'],
  }),
  ...mutantsOf('src/platform/migrations/1700000000285-shown-stays.ts', suite('integration/boards/shown-stays'), {
    'a stay does not wait for who renames its guest': ' for key share',
    'who renames a guest does not wait for the stay': ' for update',
    'a renamed guest keeps the name on boards': ['old.name is distinct from new.name', 'false'],
    'a stay keeps its times on boards': ['old.departure_at', 'new.departure_at'],
  }),
  ...mutantsOf('src/features/boards/board.repository.ts', suite('integration/reservations/moved-back'), {
    'guests come into their next room when they arrived': ['s.from_date > s.check_in_date then', 'false then'],
    'guests leave their first room when they depart': ['s.until_date < s.departure::date then', 'false then'],
  }),
  ...mutantsOf('src/features/boards/here.ts', boards('limited key'), {
    'a board is shown beyond the limit': ' and ($3::uuid[] is null or id = any($3))',
  }),
  ...mutantsOf('src/features/boards/board.repository.ts', suite('integration/boards/late-and-early'), {
    'guests are in their room before they came': [" and ${cameOn('r')} <= ${date})", ')'],
    'guests in house are those who come next': [
      "not (s.stay_status = 'checked_in' and s.check_in_date >",
      'not (false and s.check_in_date >',
    ],
  }),
  ...mutantsOf('src/features/boards/room-board.ts', suite('integration/boards/late-and-early'), {
    'guests who are to come hide those who are in house': ['nights.find(isInHouse) ?? nights[0]', 'nights[0]'],
    'a stay that overlaps another is not on the board': ['nights.filter((stay) => stay !== tonight)', '[]'],
  }),
  ...mutantsOf('src/features/boards/room-board.ts', boards('by floor and name'), {
    'a no-show counts as in-house': ["=> status === 'no_show');", "=> status === 'none');"],
  }),
  ...mutantsOf('src/features/boards/room-board.ts', suite('integration/boards/day-uses'), {
    'a checked-out guest is listed as due out': ["stay.status !== 'checked_out' &&", ''],
    'guests who never arrived are due out': ['date > today || ', 'true || '],
    'a day use that has not come is due out': [" && first.status === 'not_arrived'", ' && false'],
  }),
  ...mutantsOf('src/features/boards/day.repository.ts', boards('page by page'), {
    'a guest who left early is listed as due out again': [
      ' and (r.departed_on is null or r.departed_on >= $2::date)',
      '',
    ],
    'each page starts at the first record': ['or key > $4', 'or key <> $4'],
  }),
  ...mutantsOf('src/features/boards/day.repository.ts', suite('integration/boards/day-work'), {
    'guests are listed with the cleaning of the room that they have left': [
      'r.unit_id is null or coalesce(t.unit_id, r.unit_id) = r.unit_id',
      'true',
    ],
    'work of later guests is listed with earlier ones': [
      ' and (t.reservation_id is null or ${workStarts} < r.departure_at)',
      '',
    ],
  }),
  ...mutantsOf('src/features/boards/day.repository.ts', suite('integration/boards/late-and-early'), {
    'guests are in house before they came': [" and ${cameOn('r')} <= $2::date)", ')'],
    'guests who have not arrived are in house': ['case when ${isLate} then 1', 'case when false then 1'],
    'guests who are late do not leave later': [' or $2::date <= ${dayNow})', ' or true)'],
    'guests who are to come by a later day are late': ['least($2::date, ${dayNow})', '$2::date'],
  }),
  ...mutantsOf('src/features/boards/day.repository.ts', boards('should have left'), {
    'guests are overdue departures of later days': [' and $2::date <= ${dayNow}\n', '\n'],
    'guests who left late are not listed': ['r.check_out_date <> $2::date', 'r.check_out_date > $2::date'],
  }),
  ...mutantsOf('src/features/boards/day.repository.ts', boards('only its property'), {
    'a day of one property lists stays at others': ['`and ${id} = any($3::uuid[])`', "''"],
  }),
  ...mutantsOf('src/features/boards/day.repository.ts', suite('integration/console/other-zones', 'of all properties'), {
    'guests are overdue only by the date at their property': [
      ' and $2::date <= ${dayNow}\n',
      ' and $2::date <= ${dayThere}\n',
    ],
  }),
  ...mutantsOf('src/console/pages/today.tsx', suite('integration/console/other-zones', 'Today page'), {
    'the Today page of a property takes the organization for it': [
      '(propertyId ? await todayAt',
      '(!propertyId ? await todayAt',
    ],
  }),
  ...mutantsOf('src/console/pages/today.tsx', suite('integration/console/console.slow', 'can be checked in and out'), {
    'guests who have arrived can check in': [" && stayStatus === 'not_arrived'", ''],
    'guests check in without a room': ['{hasPlace ? (', '{hasPlace || stayStatus ? ('],
    'guests check in on a day of the future': ['hasCome && stayStatus', 'stayStatus'],
    'guests who have not arrived can check out': ["stay.stayStatus === 'checked_in' &&", 'true &&'],
  }),
  ...mutantsOf('src/features/boards/day.repository.ts', suite('integration/boards/late-and-early', 'leave late'), {
    'guests who are there still left when they had booked to': [' when ${isThereStill} then 3', ''],
    'guests who leave late are departures on two days': ['case when r.departed_on > $2::date then 3 else 2 end', '2'],
  }),
  ...mutantsOf(
    'src/features/boards/day.repository.ts',
    suite('integration/boards/late-and-early', 'days after their booked departure'),
    {
      'guests who are there still left when they had booked to, days ago': [
        'r.check_out_date <= $2::date\n',
        'r.check_out_date = $2::date\n',
      ],
      'guests who left days late were nowhere before': ['r.departed_on > r.check_out_date + 1 and', 'false and'],
    },
  ),
  ...mutantsOf(
    'src/features/boards/board.repository.ts',
    suite('integration/boards/late-and-early', 'days after their booked departure'),
    {
      'guests who are there still were to leave on each day': [
        '`least(${date} + 1, (select today from here))`',
        'date',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/reservation-filters.ts',
    suite('integration/boards/late-and-early', 'days after their booked departure'),
    {
      'guests who should have left are not in house on days before today': [
        'greatest(check_out_date, (?::timestamptz at time zone timezone)::date)',
        'coalesce(check_out_date, (?::timestamptz at time zone timezone)::date)',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/boards/tape-chart.repository.ts',
    suite('integration/boards/late-and-early', 'tape chart'),
    {
      'the chart has nobody who should have left': ['and ${isOverdueOn(today)}', 'and false'],
      'the chart has nobody who came early': ['and ${isEarlyOn(today)}', 'and false'],
      'the chart has nobody who leaves on its first day': [
        's.property_id = $2 and s.until_date >= ${date} and',
        's.property_id = $2 and s.until_date > ${date} and',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/filled-in.ts',
    suite('integration/reservations/overlapping', 'at the same time'),
    {
      'two stays in one room have no warning': '                 or ${isUsedAsWell}\n',
    },
  ),
  ...mutantsOf(
    'src/features/reservations/filled-in.ts',
    suite('integration/reservations/states.slow', 'in which others still are'),
    {
      'guests in a room that has a day use have no warning': ['o.check_in_date = o.check_out_date or ', ''],
      'a day use in a room that others have loses its warning at its check-in': [
        "r.stay_status in ('not_arrived', 'checked_in') and ${isDayUse}",
        "r.stay_status = 'not_arrived' and ${isDayUse}",
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/by-reference/pushed-states.ts',
    suite('integration/reservations/overlapping', 'have come'),
    {
      'another system cancels a stay in house':
        "if (status !== 'confirmed' && haveCome(stayStatus)) throw guestsHaveCome(status);",
    },
  ),
];
