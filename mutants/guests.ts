import { type Mutant, mutantsOf, suite } from './mutant.js';

const guests = (only: string) => suite('integration/reservations/guests.slow', only);
const merges = 'src/features/reservations/guest-merges.service.ts';

/** One way to name a guest, and one record for one person. */
export const guestMutants: Mutant[] = [
  ...mutantsOf('src/features/reservations/parties.service.ts', guests('given by id'), {
    'details given with a guest id are ignored': 'if (!isSameGuest(guest, tidied(given))) throw guestGivenTwice();',
  }),
  ...mutantsOf('src/features/reservations/parties.service.ts', guests('mergeGuests moves'), {
    'a stay refers to a merged guest': 'if (guest.mergedInto) throw guestIsMerged(guest.mergedInto);',
  }),
  ...mutantsOf('src/features/reservations/guests.service.ts', guests('mergeGuests moves'), {
    'a merged guest is changed': [
      'if (guest.mergedInto) throw guestIsMerged(guest.mergedInto);\n    return guest;',
      'return guest;',
    ],
  }),
  ...mutantsOf(merges, guests('mergeGuests moves'), {
    'a merged guest is merged again': 'if (mergedInto) throw guestIsMerged(mergedInto);',
    'a merged guest keeps their name': ['{ ...nobody, mergedInto: guestId }', '{ mergedInto: guestId }'],
  }),
  ...mutantsOf('src/features/reservations/guests.service.ts', guests('does not change'), {
    'a guest is changed whose stays are hidden': [
      'await this.refuseStaysElsewhere(caller, guestId);\n    const externalRefs',
      'const externalRefs',
    ],
  }),
  ...mutantsOf('src/features/reservations/parties.service.ts', 'integration/by-reference/by-reference.slow', {
    'a stay with other details of a guest of elsewhere is refused':
      'if (await this.guests.staysElsewhere(caller, known.id)) return await this.of(caller, named, soFar);',
  }),
  ...mutantsOf(merges, guests('mergeGuests needs'), {
    'guests with hidden stays are merged': 'await this.service.refuseStaysElsewhere(caller, id);',
    'a guest is merged with itself': 'if (guestId === fromGuestId) throw mergedWithItself();',
  }),
  ...mutantsOf('src/features/reservations/guests.repository.ts', guests('in a circle'), {
    'merges of one guest lock stays without taking turns':
      'await this.database.rows(orgId, turns, [[...guestIds].sort()]);',
  }),
  ...mutantsOf(
    'src/features/reservations/stay-rules.ts',
    suite('integration/reservations/change-reservation.slow', 'accepts what'),
    {
      'unchanged fields of another system are rejected': [
        ' && !isSameValue(input[name], reservation[name as keyof Reservation])',
        '',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/reservations/guests.repository.ts',
    suite('integration/reservations/guests.slow', 'finds an email'),
    {
      'guests elsewhere are found by their email':
        '.when(caller.propertyIds?.map(uuidIn), `id = any(array(${guestsAt}))`)',
      'a search by email finds all guests': "if (email) where.and('email_key = lower(?)', email);",
      'a search by email finds other spellings of itself only': ['email_key = lower(?)', 'email = ?'],
    },
  ),
];
