import { type Mutant, mutantsOf, suite } from './mutant.js';

const crowded = (only: string) => suite('integration/reservations/crowded-places.slow', only);
const folder = 'src/features/reservations/overlaps';

/** Which stays are one too many, and the background work that flags and clears them. */
export const crowdedMutants: Mutant[] = [
  ...mutantsOf(`${folder}/crowded-places.service.ts`, crowded('lets bookings through'), {
    'thousands of stays are flagged in one transaction': ['mostAtOnce = 100;', 'mostAtOnce = 100_000;'],
    'stays are flagged without an actor': ['await (act ? this.audit.during(act, work) : work())', 'await work()'],
    'only the stays of a first slice are flagged': ['last ? this.places.goOn(due, last) : ', ''],
  }),
  ...mutantsOf(`${folder}/crowded-places.service.ts`, crowded('is rehearsed'), {
    'a rehearsal begins background work': [
      'else if (this.database.isRehearsing) await this.foresee(by, place);\n    else {',
      'else {',
    ],
  }),
  ...mutantsOf(`${folder}/overlaps.repository.ts`, crowded('leaves enough units'), {
    'all who wait are written where enough units are left': [
      'select range_agg(daterange(c.from_date, c.until_date)) from',
      'select coalesce(range_agg(daterange(c.from_date, c.until_date)), datemultirange(daterange(null, null))) from',
    ],
  }),
  ...mutantsOf(`${folder}/overlaps.repository.ts`, crowded('clears them'), {
    'another room clears no stay that is flagged': ['(s.exempt and not $6) or', 's.exempt and not $6 and'],
  }),
  ...mutantsOf(
    `${folder}/judged-stays.ts`,
    suite('integration/reservations/grown-types.slow', 'its system handed over'),
    {
      'a stay that was handed over is never one too many': [
        " where exempt or ${isHandedOver('near.id')})",
        ' where exempt)',
      ],
    },
  ),
  ...mutantsOf(`${folder}/judged-stays.ts`, 'integration/reservations/overlapping', {
    'a stay that was booked here may be one too many': [
      'isFlagged(id, "and flagged.source <> \'manual\'")',
      'isFlagged(id)',
    ],
  }),
  ...mutantsOf(`${folder}/overlaps.repository.ts`, 'integration/reservations/overlapping', {
    'day uses that a day use met before stay flagged': ['where from_date = until_date', 'where false'],
  }),
  ...mutantsOf(
    'src/features/reservations/blocks/blocked-nights.service.ts',
    'integration/reservations/stranded-stays',
    {
      'nobody who waits is too many': [
        'if (force) return await this.letWait(block, { from, until });',
        'if (force) return;',
      ],
      'nobody who waits is too many where a whole property is blocked': [
        'if (unitId === null) return await wait(null, [nights]);',
        'if (unitId === null) return;',
      ],
    },
  ),
  ...mutantsOf(`${folder}/overlaps.repository.ts`, 'integration/reservations/stranded-stays', {
    'day uses that wait are never too many': ['and ${isDayUse} and not r.exempt))', 'and ${isDayUse} and r.exempt))'],
  }),
  ...mutantsOf('src/tenancy/units/units.service.ts', 'integration/reservations/grown-types.slow', {
    'the stays of the type that a unit had are not looked at':
      'await this.typeChanged(caller, { propertyId, unitTypeId: former }, false);',
  }),
];
