import { type Mutant, mutantsOf, suite } from './mutant.js';

const byReference = (only?: string) => suite('integration/by-reference/by-reference.slow', only);
const undone = (only?: string) => suite('integration/by-reference/undone-saves', only);
const vendors = suite('integration/by-reference/two-vendors', 'its own stays');

/** The names of records, and the order in which saves of them count. */
export const referenceMutants: Mutant[] = [
  ...mutantsOf('src/outside/by-reference/push-connections.ts', byReference('over rest'), {
    'a connection that does not push saves records': 'if (connection.provider !== pushProvider) throw savesNothing();',
    'a disconnected connection saves records': "if (connection.status === 'disconnected') throw connectionIsOver();",
    'a save without a version is accepted': 'if (version === undefined) throw versionMissing();',
    'versions of different formats are compared':
      'if (formOf(version) !== sourceVersions) throw versionOfAnotherForm();',
  }),
  ...mutantsOf('src/outside/by-reference/push-connections.ts', byReference('shows references'), {
    'any caller saves for a connection': 'if (!isOwn(caller, connection)) throw connectionNotYours();',
    'any caller reads by reference':
      "if (!isOwn(caller, connection) && !may(caller, 'connections:read')) throw connectionNotYours();",
  }),
  ...mutantsOf('src/platform/undo/single-undo.service.ts', undone('over rest'), {
    'what an undo has archived stays archived': 'this.undoneChanges.notify(caller, change);',
  }),
  ...mutantsOf('src/outside/by-reference/saves-by-reference.service.ts', undone('over rest'), {
    'a save restores what a person has archived': [
      'const isBack = known.contentHash === unsaid && ',
      'const isBack = ',
    ],
  }),
  ...mutantsOf(
    'src/features/reservations/by-reference/pushed-changes.service.ts',
    suite('integration/by-reference/guests-in-house'),
    {
      'a save cancels guests in house':
        'if (status !== stay.status) refuseOffWithGuests(status, stayStatus ?? stay.stayStatus);',
    },
  ),
  ...mutantsOf('src/outside/by-reference/saved-content.ts', byReference('in whatever order'), {
    'an older version overwrites a newer one': ['if (order < 0 || contentHash', 'if (order === 0 && contentHash'],
    'the same version may have other content': [
      'if (order < 0 || contentHash !== known.contentHash)',
      'if (order < 0)',
    ],
  }),
  ...mutantsOf('src/outside/by-reference/bulk-saves.service.ts', byReference('completely or not'), {
    'a bulk save may contain an id twice': 'if (seen.has(externalId)) throw savedTwice(index);',
    'an atomic bulk save is saved in part': 'if (atomic && result.error) throw bulkItemRefused(index, result.error);',
  }),
  ...mutantsOf('src/outside/by-reference/new-records.ts', vendors, {
    'a connection limited to a property writes to others':
      'if (only && propertyId && propertyId !== only) throw beyondProperty(field);',
  }),
  ...mutantsOf(
    'src/features/reservations/by-reference/pushed-changes.service.ts',
    suite('integration/by-reference/bulk-as-single.slow', 'keeps no guest'),
    {
      'guests of a rejected change are kept': [
        'writesFirst(one.changes) ? () => this.events.attempt(work) : work',
        'work',
      ],
    },
  ),
  ...mutantsOf('src/features/reservations/by-reference/pushed-changes.service.ts', vendors, {
    'a stay of another system is changed':
      'if (isOwnedElsewhere(stay) && stay.connectionId !== connection.id) throw ownedByProvider(Object.keys(changes));',
  }),
  ...mutantsOf('src/tenancy/references/references.repository.ts', vendors, {
    'a connection finds records by references of others': [
      'and connection_id = $3 and external_id',
      'and $3::uuid is not null and external_id',
    ],
  }),
  ...mutantsOf('src/tenancy/references/references.service.ts', vendors, {
    'any caller adds references of a connection': 'if (known.get(connectionId) === false) throw connectionNotYours();',
  }),
  ...mutantsOf('src/tenancy/references/references.service.ts', byReference('each name unique'), {
    'one reference belongs to two records': 'if (holder !== recordId) throw referenceTaken(holder);',
    'a reference to an unknown connection is accepted':
      'if (!known.has(connectionId) && !isOld) throw unknownConnection();',
  }),
  ...mutantsOf('src/tenancy/references/references.service.ts', byReference('in every list'), {
    'a new record takes the reference of another': 'if (holder !== id) throw referenceTaken(holder);',
    'a filter by external id works without a connection': 'if (connectionId === undefined) throw externalIdOfNone();',
  }),
  ...mutantsOf('src/tenancy/references/references.service.ts', byReference('shows references'), {
    'any caller searches by reference': "if (!isOwn && !may(caller, 'connections:read')) throw connectionNotYours();",
  }),
  ...mutantsOf('src/tenancy/references/referred-to.ts', byReference('in every list'), {
    'a search finds every reference of the connection': [' and e.external_id = ?', ' and e.external_id >= left(?, 0)'],
  }),
  ...mutantsOf(
    'src/outside/by-reference/bulk-saves.service.ts',
    suite('integration/by-reference/bulk-as-single.slow', 'few statements'),
    {
      'new records are saved one by one': [
        'const created = await this.newSaves.save(caller, saver, { connection, names }, unknown);',
        'const created = await this.newSaves.save(caller, saver, { connection, names }, []);',
      ],
      'known records are changed one by one': [
        'const changed = await this.knownSaves.save(caller, saver, { connection, names }, isKnown);',
        'const changed = await this.knownSaves.save(caller, saver, { connection, names }, []);',
      ],
    },
  ),
  ...mutantsOf(
    'src/outside/by-reference/bulk-saves.service.ts',
    suite('integration/by-reference/bulk-as-single.slow', 'in slices'),
    {
      'a bulk is one transaction': ['if (atomic) return await save(read);', 'return await save(read);'],
    },
  ),
  ...mutantsOf(
    'src/outside/by-reference/known-saves.service.ts',
    suite('integration/by-reference/bulk-as-single.slow', 'changed here since'),
    {
      'unchanged fields of a repeated save are applied again': [
        'const changes = isRepeated ? {} : differing(content, save, known, saver.initially);',
        'const changes = isRepeated ? {} : (content as object);',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/stay-put-backs.service.ts',
    suite('integration/by-reference/bulk-as-single.slow', 'undone as a whole'),
    {
      'a save after an undo counts as unchanged': [
        "if (pushed && wasSaid) this.references.unsay(caller.orgId, 'reservation', stay.id);",
        '',
      ],
    },
  ),
];
