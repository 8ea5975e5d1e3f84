import { type Mutant, mutantsOf, suite } from './mutant.js';

/** What keeps an undo complete, permitted, and limited to its subject. */
export const undo: Mutant[] = [
  ...mutantsOf(
    'src/platform/undo/new-records.service.ts',
    suite('integration/reservations/undone-stays.slow', 'bulk save'),
    {
      'the stays of a bulk are undone one by one, while bookings wait': ['changes.length === 1', 'changes.length > 0'],
      'stays are removed together without the permission for stays': [
        ' || !scopes.every((scope) => !scope || may(caller, scope))',
        '',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/stay-put-backs.service.ts',
    suite('integration/by-reference/bulk-as-single.slow', 'undone as a whole'),
    {
      'an undo of many stays is not known as one of another system': [
        'await this.reservations.shown(caller.orgId, found.map(valueOf))',
        'found.map(valueOf)',
      ],
    },
  ),
  ...mutantsOf(
    'src/outside/by-reference/saved-content.ts',
    suite('integration/by-reference/bulk-as-single.slow', 'undone as a whole'),
    {
      'a save after an undo leaves the stay cancelled': ['{ ...initially, ...changed }', 'changed'],
    },
  ),
  ...mutantsOf('src/features/reservations/stay-put-backs.service.ts', 'integration/by-reference/undone-saves', {
    'guests whom somebody knows of go with their stay': ['version === (overlapping ? 2 : 1)', 'version > 0'],
    'a stay with guests that was flagged cannot go': ['version === (overlapping ? 2 : 1)', 'version === 1'],
    'guests are in house without their stay':
      "  ...(!canBeCancelled(stay) && inProgress('not_arrived', stay, dayIn(stay.timezone))),\n",
  }),
  ...mutantsOf('src/platform/undo/single-undo.service.ts', 'integration/events/undo.slow', {
    'a later change is overwritten': [
      '    if (others.length > 0) throw new ChangedSince(others);\n    return await feature.write',
      '    return await feature.write',
    ],
    'an undo does not need the permission for what it undoes': [
      '    if (scope && !may(caller, scope)) throw lacksPermission(scope);',
      '    if (scope === undefined) return;',
    ],
  }),
  ...mutantsOf('src/platform/undo/undo.service.ts', 'integration/events/undo.slow', {
    'an undo of many changes holds the event loop': 'if (loopShare.isUsedUp) await loopShare.next();',
    'an undo is carried out in part': ['if (blockers.length > 0) throw notUndoable(blockers);', ''],
    'an ambiguous request id undoes the first request': [
      'if (requests.length > 1) throw requestIdAmbiguous(requests);',
      '',
    ],
    'changes are undone however old they are': [
      'if (Date.parse(since) < Date.now() - longestAgoMs) throw sinceTooEarly();',
      '',
    ],
  }),
  ...mutantsOf(
    'src/platform/undo/undo.repository.ts',
    suite('integration/organizations/times-changes.slow', 'is undone with its stays'),
    { 'changes that follow in the background count': [".and(isNoBackgroundOf('request_id'), requestId)", ''] },
  ),
  ...mutantsOf('src/platform/undo/undo.repository.ts', 'integration/events/undo.slow', {
    'who changes records of other properties is named': [
      '($7::uuid[] is null or property_id = any($7))',
      '($7::uuid[] is null or true)',
    ],
    'requests of other keys are undone too': ["where.and(`e.credential->>'id' = ?`, credential.id)", 'where'],
    'requests of other applications are undone too': [
      "where.and(`e.credential->>'clientId' = ?`, credential.clientId)",
      'where',
    ],
    'changes at other properties are undone too': [
      "      .when(propertyIds?.map(uuidIn), 'e.property_id = any(?::uuid[])');",
      '      .when(propertyIds?.length === -1, "true");',
    ],
  }),
  ...mutantsOf(
    'src/platform/undo/undo.repository.ts',
    suite('integration/reservations/undone-stays.slow', 'is not put back'),
    {
      'what followed from a change counts as a later one': [
        '(log_id is distinct from $6 or $6 is null)',
        '$6::uuid is distinct from $3::uuid',
      ],
    },
  ),
  ...mutantsOf('src/platform/events/undo-steps.repository.ts', 'integration/events/undo.slow', {
    'previous values are stored unencrypted': [
      'this.keyring.seal(JSON.stringify(kept), contextOf(entryId))',
      'Buffer.from(JSON.stringify(kept))',
    ],
    'what an erasure itself records is kept': [
      'this.database.keep(this.forget, [{ orgId, subjectIds, reason }]);',
      'this.forget([{ orgId, subjectIds, reason }]);',
    ],
  }),
  ...mutantsOf('src/features/reservations/guests.service.ts', 'integration/events/undo.slow', {
    'previous values of an erased guest are kept': [
      'this.events.forgetValues(caller, [guestId, ...stays.map(({ after }) => after.id)]);',
      '',
    ],
  }),
  ...mutantsOf('src/platform/requests/logged-request.ts', 'integration/events/undo.slow', {
    'an id with the latest possible time is an error': ['Math.min(lastTime, ', 'Math.min(Infinity, '],
  }),
  ...mutantsOf('src/platform/undo/undo.service.ts', 'integration/approvals/evening.slow', {
    'letters sent by workflows are not listed': ['[...deliveries, ...sent]', '[...deliveries]'],
  }),
  ...mutantsOf('src/features/workflows/triggers/started-by-events.service.ts', 'integration/approvals/evening.slow', {
    'workflows are listed for callers who may not read them': ["if (!permissions.has('workflows:read'))", 'if (false)'],
  }),
  ...mutantsOf(
    'src/features/reservations/stay-put-backs.service.ts',
    suite('integration/events/undo.slow', 'another system'),
    {
      'a save by reference cannot be undone': ['if (owned.length > 0 && !pushed) throw', 'if (owned.length > 0) throw'],
      'a stay of another system is undone': 'if (owned.length > 0 && !pushed) throw ownedByProvider(owned);',
    },
  ),
  ...mutantsOf('src/platform/undo/undo.service.ts', suite('integration/events/undo.slow', 'up to 500'), {
    'no limit on the changes of an undo':
      'if (isTooLong || chosen.filter((one) => !isFollowing(one)).length > mostChanges) throw tooManyChanges(mostChanges);',
  }),
  ...mutantsOf('src/features/reservations/put-back-rules.ts', 'integration/reservations/undone-stays.slow', {
    'guests in house lose their confirmed stay':
      "if (status !== 'confirmed' && !isOverUnseen) throw stayIs(stayStatus, 'not_arrived');",
    'guests in house lose their room':
      "if (stayStatus === 'checked_in' && occupiesOf(wanted) === 'unit_type')\n    throw isInHouse ? guestsKeep('room') : unitNotAssigned();",
    'guests in house get later nights':
      "if (checkInDate > soonest) throw isInHouse ? guestsKeep('nights') : stayNotYetDue();",
    'early guests keep a change': ['isEarlyAlready ? wanted.checkInDate : today', 'today'],
  }),
  ...mutantsOf('src/features/reservations/put-back-rules.ts', 'integration/reservations/undone-halves', {
    'a stay is expected without its nights': "if (released && stayStatus !== 'no_show') throw nightsWereReleased();",
    'guests depart before they arrive': [
      'if (departedAt && Date.parse(departedAt) < arrivedAtOf(wanted)) throw departedAtImpossible();',
      '',
    ],
    'a stay ends before it starts': 'if (isAnyOf(ofDates)) refuseDates(wanted);',
    'guests change rooms after their last night': ['last.from >= checkOutDate || ', ''],
    'guests are in a room that they have left': [
      "stayStatus === 'checked_in' ? [roomOn(rooms, today).room] : rooms",
      'rooms',
    ],
  }),
  ...mutantsOf('src/platform/undo/single-undo.service.ts', 'integration/reservations/undone-stays.slow', {
    'a later change of other fields is named as the reason': ["'event' in kept.step && names.length > 0", 'false'],
  }),
  ...mutantsOf('src/platform/undo/undo.service.ts', 'integration/reservations/undone-stays.slow', {
    'the guest of a stay that has to stay is named too': 'if (!heldBy || !staying.has(heldBy))',
  }),
  ...mutantsOf('src/features/reservations/stay-put-backs.service.ts', 'integration/reservations/undone-stays.slow', {
    'a stay that was cancelled since prevents an undo':
      '    if (isNew && isCancelled(stay)) return `The stay is left as it is: it has been ${stay.status} since.`;',
    'a stay keeps the type that its unit had': [
      '{ unitTypeId: place.unitTypeId, rooms: await Promise.all(typed) }',
      '{ rooms: await Promise.all(typed) } as never',
    ],
    'what a person did meets other stays': ['owned.length > 0 && pushed?.ownsOverlaps', 'pushed?.ownsOverlaps'],
  }),
  ...mutantsOf(
    'src/features/reservations/blocks/unit-block-put-backs.service.ts',
    'integration/reservations/undone-stays.slow',
    {
      'an ended block is changed': "if (block.endedAt && !('endedAt' in fields)) throw blockHasEnded();",
    },
  ),
  ...mutantsOf(
    'src/features/reservations/overlaps/overlap-flags.service.ts',
    'integration/reservations/undone-stays.slow',
    {
      'flagged stays count as changes of an undo': [
        'await this.events.follow(() =>\n      this.events',
        'await Promise.resolve().then(() =>\n      this.events',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/assignments/assignments.service.ts',
    'integration/reservations/grown-types.slow',
    {
      'an upgraded stay that comes back is not counted':
        'await this.crowded.check(caller, { propertyId, unitTypeId, from, until, onlyFlagged: false });',
    },
  ),
  ...mutantsOf('src/tenancy/stays/type-nights.ts', 'integration/reservations/undone-stays.slow', {
    'a block without a night takes one': [' and b.until_date is distinct from b.from_date', ''],
  }),
];
