import type { Answer, ServiceError } from '#errors';

/**
 * Errors for a person, by their code or key: what the API says for programs names operations and fields that no page
 * shows.
 */
const sentences: Readonly<Record<string, string>> = {
  ARRIVAL_ON_ANOTHER_DAY: 'The guests must arrive on the date of the first night.',
  BLOCK_WITHOUT_NIGHT: 'The block must end after its first night.',
  DEPARTURE_ON_ANOTHER_DAY: 'The guests must leave on the date of departure.',
  GUEST_NEEDS_A_STAY: 'You see only guests of some properties. Enter the guest in a new reservation instead.',
  MOVE_FROM_IMPOSSIBLE: 'Choose a room, and a night of the stay from today on.',
  NIGHTS_TAKEN:
    'Other stays have these nights, or the room is blocked then. Move the other stays first, or end the block.',
  NO_NIGHT_ASKED: 'The last day must be after the first.',
  NOT_FOUND: 'It was not found. It may have been removed since this page was shown, or the address is wrong.',
  RESERVATION_NOT_CANCELLABLE: 'The reservation was cancelled already, or its guests have arrived.',
  RESERVATION_NOT_CONFIRMED: 'The reservation is not confirmed.',
  RESERVATION_NOT_MOVABLE: 'The stay has ended or was cancelled, so it can no longer be moved.',
  RESERVATION_OVERLAP:
    'Another confirmed stay has this room on some of these nights, or at some of these hours. Choose another time or another room.',
  STAY_NOT_YET_DUE: 'The stay starts on a later day. Wait for that day.',
  STAY_STATUS: 'The stay is in another state by now. This page shows the current one.',
  STAY_TOO_LONG: 'A stay can have at most 1,095 nights. Choose an earlier departure.',
  STAY_WITHOUT_A_NIGHT:
    'The departure must be after the first night. Guests who leave on the same day must leave after they arrive.',
  UNIT_ARCHIVED: 'The room is archived. Choose another one.',
  UNIT_BLOCKED:
    'The room is blocked on some of these nights. Choose another room, or end the block on the page of the property.',
  UNIT_CONNECTS_TO_ITSELF: 'A room cannot connect to itself.',
  UNIT_IN_USE: 'Current or future stays use the room. Cancel or move them first.',
  UNIT_NOT_ASSIGNED: 'The stay has no room yet. Assign one, then check the guests in.',
  UNIT_OF_ANOTHER_TYPE: 'The room is not of the booked type. Choose a room of that type.',
  UNIT_TYPE_ARCHIVED: 'The room type is archived. Choose another one.',
  UNIT_TYPE_FULL:
    'No room of this type is left on some of these nights. Choose other dates or another type, or move stays first.',
  UNIT_TYPE_IN_USE:
    'Rooms or future stays use the room type. Give the rooms another type and move the stays, then archive it.',
  UNIT_WITHOUT_TYPE: 'The stay was not sold as a room type, so it cannot wait for another room. Move it instead.',
};

/** Undefined where the error's own message is for people too. */
export function sentenceFor(error: ServiceError | (Answer & { code: string })): string | undefined {
  const { code, details } = 'value' in error ? error.value.error : error;
  const key = details?.key;
  return (typeof key === 'string' ? sentences[key] : undefined) ?? sentences[code];
}
