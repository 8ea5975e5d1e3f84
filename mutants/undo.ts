import { type Mutant, mutantsOf, suite } from './mutant.js';

/** What keeps an undo complete, permitted, and limited to its subject. */
export const undo: Mutant[] = [
  ...mutantsOf('src/platform/undo/single-undo.service.ts', 'integration/events/undo', {
    'a change that somebody has made since is overwritten': [
      '    if (others.length > 0) throw new ChangedSince(others);\n    return await feature.write',
      '    return await feature.write',
    ],
    'an undo needs no permission of what it undoes': [
      '    if (scope && !may(caller, scope)) throw lacksPermission(scope);',
      '    if (scope === undefined) return;',
    ],
  }),
  ...mutantsOf('src/platform/undo/undo.service.ts', 'integration/events/undo', {
    'an undo of many changes holds the event loop': 'if (loopShare.isUsedUp) await loopShare.next();',
    'what can be undone is undone without the rest': ['if (blockers.length > 0) throw notUndoable(blockers);', ''],
    'the first of several requests with an id is undone': [
      'if (requests.length > 1) throw requestIdAmbiguous(requests);',
      '',
    ],
    'changes are undone however long ago an application made them': [
      'if (Date.parse(since) < Date.now() - longestAgoMs) throw sinceTooEarly();',
      '',
    ],
  }),
  ...mutantsOf(
    'src/platform/undo/undo.repository.ts',
    suite('integration/organizations/times-changes', 'is undone with its stays'),
    { 'what follows in the background counts as changes': [".and(isNoBackgroundOf('request_id'), requestId)", ''] },
  ),
  ...mutantsOf('src/platform/undo/undo.repository.ts', 'integration/events/undo', {
    'requests of other keys are undone': ["where.and(`e.credential->>'id' = ?`, credential.id)", 'where'],
    'requests of other applications are undone': [
      "where.and(`e.credential->>'clientId' = ?`, credential.clientId)",
      'where',
    ],
    'changes at other properties are undone': [
      "      .when(propertyIds?.map(uuidIn), 'e.property_id = any(?::uuid[])');",
      '      .when(propertyIds?.length === -1, "true");',
    ],
  }),
  ...mutantsOf('src/platform/events/undo-steps.repository.ts', 'integration/events/undo', {
    'values are kept as they are': [
      'this.keyring.seal(JSON.stringify(kept), contextOf(entryId))',
      'Buffer.from(JSON.stringify(kept))',
    ],
  }),
  ...mutantsOf('src/features/reservations/guests.service.ts', 'integration/events/undo', {
    'the values of an erased guest stay': [
      'this.events.forgetValues(caller, [guestId, ...stays.map(({ after }) => after.id)]);',
      '',
    ],
  }),
  ...mutantsOf('src/platform/requests/logged-request.ts', 'integration/events/undo', {
    'an id of the last moment is an error': ['Math.min(lastTime, ', 'Math.min(Infinity, '],
  }),
  ...mutantsOf('src/platform/undo/undo.service.ts', 'integration/approvals/evening', {
    'letters that workflows have sent are not named': ['[...deliveries, ...sent]', '[...deliveries]'],
  }),
  ...mutantsOf('src/features/workflows/triggers/started-by-events.service.ts', 'integration/approvals/evening', {
    'workflows are named to who may not read them': ["if (!permissions.has('workflows:read'))", 'if (false)'],
  }),
  ...mutantsOf(
    'src/features/reservations/stay-put-backs.service.ts',
    suite('integration/events/undo', 'another system'),
    {
      'what a system has saved by reference is not undone': [
        'if (owned.length > 0 && !pushed) throw',
        'if (owned.length > 0) throw',
      ],
      'what another system says of its stay is undone':
        'if (owned.length > 0 && !pushed) throw ownedByProvider(owned);',
    },
  ),
  ...mutantsOf('src/platform/undo/undo.service.ts', suite('integration/events/undo', 'up to 500'), {
    'any number of changes is undone':
      'if (isTooLong || chosen.filter((one) => !isFollowing(one)).length > mostChanges) throw tooManyChanges(mostChanges);',
  }),
];
