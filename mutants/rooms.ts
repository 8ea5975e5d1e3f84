import { type Mutant, mutantsOf, suite } from './mutant.js';

const rooms = (only: string) => suite('integration/organizations/room-state.slow', only);
const repository = 'src/tenancy/rooms/rooms.repository.ts';

/** The effects of work and stays on rooms, and what keeps guests out. */
export const roomMutants: Mutant[] = [
  ...mutantsOf(repository, rooms('took the room out of use'), {
    'work puts a room back into use': ["cleaning_status in ('dirty', 'cleaning', 'clean', 'inspected') and ", ''],
    'rooms follow work where that is turned off': [" and ${isFollowing('u.property_id')}", ''],
  }),
  ...mutantsOf(repository, rooms('the flags of guests'), {
    'the next guests inherit a flag': ['areLeft ? endingFlags', 'false ? endingFlags'],
    'flags stay where rooms do not follow work': ['areLeft ? `or ${isFlagged}`', 'false ? `or ${isFlagged}`'],
  }),
  ...mutantsOf(repository, rooms('six in the morning'), {
    'the morning change is due at any time': ['next_morning_at <= $3 and', '$3 is not null and'],
  }),
  ...mutantsOf('src/tenancy/properties/properties.service.ts', rooms('six in the morning'), {
    'the morning change stays in the old time zone':
      'if (morningOf(changed) !== morning) this.properties.scheduleMorning(changed);',
  }),
  ...mutantsOf('src/tenancy/rooms/room-state.service.ts', rooms('dirty when its guests'), {
    'a room stays clean when its guests leave':
      "if (left.length > 0) await this.set(caller, left, 'dirty', { areLeft: true, isUsed });",
  }),
  ...mutantsOf(repository, 'integration/reservations/assigned-in-house', {
    'a room is dirty in which guests have not slept': ['`${isUsed} and ${followed}', '`${followed}'],
  }),
  ...mutantsOf('src/features/reservations/stay-put-backs.service.ts', 'integration/reservations/assigned-in-house', {
    'an undo leaves a room dirty': ['roomLeftAgain(stay, wanted, today)', 'undefined'],
    'an undo leaves a room clean in which guests have slept': [' && since >= today', ''],
  }),
  ...mutantsOf('src/tenancy/rooms/room-state.service.ts', suite('unit/tenancy/followers', 'before their tasks'), {
    'rooms are locked after their tasks at check-out': ['changes.flatMap(roomsLeftIn));', '[]);'],
  }),
  ...mutantsOf('src/features/tasks/room-work.service.ts', rooms('after an inspection'), {
    'a failed inspection does not lead to another cleaning': ['this.cleanAgain(caller, task);', 'continue;'],
  }),
  ...mutantsOf('src/features/tasks/room-work.service.ts', rooms('without a deadlock'), {
    'a task is locked before its room': 'await this.rooms.lock(orgId, [...rooms.values()]);',
  }),
];
