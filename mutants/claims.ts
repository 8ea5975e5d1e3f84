import { type Mutant, mutantsOf, suite } from './mutant.js';

const claimed = 'integration/jobs/claims';
const syncs = suite('integration/connections/syncs', 'takes long|taken over immediately');

/** How each kind of work claims its rows. */
export const claims: Mutant[] = [
  ...mutantsOf('libs/jobs/claim-columns.ts', claimed, {
    'a row is claimed that is not due': ['`${take} and ${isDue} returning', '`${take} returning'],
    'a row is claimed that another has': [
      'until ? `(${until} is null or ${until} <= $3)` :',
      "until ? '$3::text <> $4::text' :",
    ],
    'a row is claimed that may not be': ['and ${isFree} and ${where}`;', 'and ${isFree}`;'],
    'a claim that is lost is renewed': [' and claimed.${fence} = held.fence', ''],
    'the claim of a row that has ended is renewed': ["\n         and ${rest.while ?? 'true'}", ''],
    'a row is given back by who lost it': [
      'const counts = `${fence ?? lease} = $3',
      'const counts = `$3::text is not null',
    ],
  }),
  ...mutantsOf(
    'src/outside/connections/connections.repository.ts',
    suite('integration/reservations/large-import', 'taken over'),
    { 'nobody takes over a sync that is cut off in a large import': 'await this.keepDue(claim);' },
  ),
  ...mutantsOf('src/outside/connections/connections.repository.ts', syncs, {
    'a sync in progress is not followed by the one that is asked for': ' or sync_lease_until > $3',
  }),
  ...mutantsOf('src/outside/connections/syncs.service.ts', syncs, {
    'nobody takes over a sync that takes long': 'else if (!synced) await this.connections.keepDue(claim);',
    'the end of a sync forgets that another was asked for': ', ...this.askedAgain(connection)',
    'what a process that ends leaves waits for the end of its lease': 'await this.claims.release(claim);',
    'a request waits until the sync is done': ['await waitUntil(deadline, work);', 'await work;'],
  }),
  ...mutantsOf('libs/jobs/claimed-table.ts', claimed, {
    'a claim that is lost counts': '\n      .and(`${number ?? until ?? due} = ?`, fence)',
    'the claim of a row that has ended counts': '\n      .and(whileTrue)',
  }),
  ...mutantsOf('libs/jobs/held-claims.ts', claimed, {
    'work continues whose claim is lost': ['if (!valid.has(claim))', 'if (valid.has(claim) && over.signal.aborted)'],
    'a claim is renewed that was given back': ['one.isRenewed = false', 'one.isRenewed = true'],
    'a claim is renewed whose work is done': ['    } finally {\n      this.held.delete(one);', '    } finally {'],
    'work is not stopped when its process ends': '    this.abort(() => true);\n',
  }),
  ...mutantsOf(
    'src/features/devices/lines/device-lines.service.ts',
    suite('integration/devices/vendors', 'zigbee2mqtt'),
    {
      'a connection to devices stays open with settings that have changed': [
        'current.get(connectionId) === fingerprint',
        'current.has(connectionId) && fingerprint',
      ],
    },
  ),
];
