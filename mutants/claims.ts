import { type Mutant, mutantsOf, suite } from './mutant.js';

const claimed = 'integration/jobs/claims';
const syncs = suite('integration/connections/syncs.slow', 'takes long|taken over immediately');

/** How each kind of work claims its rows. */
export const claims: Mutant[] = [
  ...mutantsOf('libs/jobs/claim-columns.ts', claimed, {
    'a row that is not due is claimed': ['`${take} and ${isDue} returning', '`${take} returning'],
    'a row that another process holds is claimed': [
      'until ? `(${until} is null or ${until} <= $3)` :',
      "until ? '$3::text <> $4::text' :",
    ],
    'a row that does not meet the condition is claimed': ['and ${isFree} and ${where}`;', 'and ${isFree}`;'],
    'a lost claim is renewed': [' and claimed.${fence} = held.fence', ''],
    'the claim on a completed row is renewed': ["\n         and ${rest.while ?? 'true'}", ''],
    'a process releases a row that it has lost': [
      'const counts = `${fence ?? lease} = $3',
      'const counts = `$3::text is not null',
    ],
  }),
  ...mutantsOf(
    'src/outside/connections/connections.repository.ts',
    suite('integration/reservations/large-import.slow', 'taken over'),
    { 'a sync interrupted in a large import is not taken over': 'await this.keepDue(claim);' },
  ),
  ...mutantsOf('src/outside/connections/connections.repository.ts', syncs, {
    'a sync requested during another does not run': ' or sync_lease_until > $3',
  }),
  ...mutantsOf('src/outside/connections/syncs.service.ts', syncs, {
    'a long sync is not taken over': 'else if (!synced) await this.connections.keepDue(claim);',
    'a sync that ends forgets that another was requested': ', ...this.askedAgain(connection)',
    'work of a process that shuts down waits for its lease to expire': 'await this.claims.release(claim);',
    'a request waits until the sync has ended': ['await waitUntil(deadline, work);', 'await work;'],
  }),
  ...mutantsOf('libs/jobs/claimed-table.ts', claimed, {
    'a lost claim is valid': '\n      .and(`${number ?? until ?? due} = ?`, fence)',
    'the claim on a completed row is valid': '\n      .and(whileTrue)',
  }),
  ...mutantsOf('libs/jobs/held-claims.ts', claimed, {
    'work continues after its claim is lost': [
      'if (!valid.has(claim))',
      'if (valid.has(claim) && over.signal.aborted)',
    ],
    'a released claim is renewed': ['one.isRenewed = false', 'one.isRenewed = true'],
    'the claim of completed work is renewed': ['    } finally {\n      this.held.delete(one);', '    } finally {'],
    'work is not stopped when its process ends': '    this.abort(() => true);\n',
  }),
  ...mutantsOf(
    'src/features/devices/lines/device-lines.service.ts',
    suite('integration/devices/vendors.slow', 'zigbee2mqtt'),
    {
      'a connection to devices stays open after its settings change': [
        'current.get(connectionId) === fingerprint',
        'current.has(connectionId) && fingerprint',
      ],
    },
  ),
];
