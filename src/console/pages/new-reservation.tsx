import { DateTime } from 'luxon';
import { invalidInput } from '#errors';
import type { Operation } from '#operations';
import { GuestOfStay } from '../../features/reservations/reservation-changes.dto.js';
import { GuestCounts } from '../../features/reservations/reservation.dto.js';
import { listAvailableUnits } from '../../features/reservations/assignments/assignments.operations.js';
import { createReservation } from '../../features/reservations/reservations.operations.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { dayAfter, dayIn } from '../../tenancy/stays/local-moments.js';
import { getProperty } from '../../tenancy/properties/properties.operations.js';
import { clock } from '../../tenancy/properties/property.dto.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { typedInput } from '../frame/typed-input.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Picked } from '../parts/filters.js';
import { choicesOf, namesOf } from './names.js';
import { placeIn, placesDuring, placesOf, todayAt } from './places.js';

/** One choice names a room, any room of a type, or the whole property; the guest and the counts are objects. */
async function readStay(fields: Fields, { ask, membership: { timezone } }: Visit): Promise<object> {
  const given = (input: Operation['input']) => typedInput({ input, method: 'POST' }, fields, timezone);
  const { propertyId = '', place = '', checkInDate, checkOutDate } = fields;
  const [stay, guest, counts] = [given(createReservation.input), given(GuestOfStay), given(GuestCounts)];
  const isDayUse = checkInDate !== undefined && checkInDate === checkOutDate;
  return {
    ...stay,
    ...placeIn(place),
    ...(Object.keys(guest).length > 0 && { primaryGuest: guest }),
    ...(Object.keys(counts).length > 0 && { guestCounts: counts }),
    ...(isDayUse && hoursOf(fields, (await ask(getProperty, { propertyId })).timezone)),
  };
}

/**
 * The hours of a day use, on the clock of the property.
 *
 * @throws validation_error about the fields that hold no time: the operation would name fields that the form does not have.
 */
function hoursOf({ checkInDate, ...fields }: Fields, zone: string): object {
  const at = (name: string) =>
    DateTime.fromFormat(`${checkInDate} ${fields[name]?.trim()}`, 'yyyy-MM-dd H:mm', { zone });
  const [arrivalAt, departureAt] = [at('fromTime'), at('untilTime')];
  const wrong = Object.entries({ fromTime: arrivalAt, untilTime: departureAt }).filter(([, { isValid }]) => !isValid);
  if (wrong.length > 0)
    throw invalidInput(wrong.map(([name]) => ({ path: [name], message: 'Enter a time such as 16:00.' })));
  return { arrivalAt: arrivalAt.toUTC().toISO(), departureAt: departureAt.toUTC().toISO() };
}

/** `9:00` is `09:00`. */
const padded = (time = ''): string => time.trim().replace(/^\d:/, '0$&');

export const newReservation: ConsolePage = {
  path: 'reservations/new',
  title: 'New reservation',
  needs: 'reservations:write',
  isLocal: true,
  forms: [
    form(createReservation, 'The reservation was created.', {
      read: readStay,
      next: ({ id }) => `reservations/${id}`,
    }),
  ],
  async show(visit) {
    const { query } = visit;
    const properties = choicesOf(await namesOf(visit, 'properties'));
    const propertyId = query.propertyId ?? (properties.length === 1 ? properties[0]?.[0] : undefined);
    const { checkInDate, checkOutDate } = query;
    const [fromTime, untilTime] = [padded(query.fromTime), padded(query.untilTime)];
    const nights = propertyId && checkInDate && checkOutDate && { propertyId, checkInDate, checkOutDate };
    const isInOrder = nights && checkInDate <= checkOutDate;
    const isForHours = nights && checkInDate === checkOutDate;
    const hours = { fromTime, untilTime };
    const areChosen = Object.values(hours).every((time) => clock.pattern.test(time)) && fromTime < untilTime;
    const places = !isInOrder
      ? []
      : !isForHours
        ? await placesOf(visit, { propertyId, from: checkInDate, until: checkOutDate })
        : areChosen
          ? await placesDuring(visit, { propertyId, day: checkInDate, ...hours })
          : [];
    const today = propertyId ? await todayAt(visit, propertyId) : dayIn(visit.membership.timezone);
    return (
      <>
        <section class="panel">
          <h2>Where and when</h2>
          <Picked
            of={createReservation}
            names={['propertyId', 'checkInDate', 'checkOutDate']}
            choices={{ propertyId: properties }}
            labels={{ propertyId: 'Property', checkInDate: 'First night', checkOutDate: 'Departure' }}
            values={{
              propertyId: propertyId ?? '',
              checkInDate: today,
              checkOutDate: dayAfter(today, 1),
            }}
            keep={fromTime && untilTime ? hours : {}}
            label="Show free rooms"
          />
          {nights && !isInOrder && <p class="problem">The departure must not be before the first night.</p>}
          {isInOrder && checkInDate < today && (
            <p class="notice">The first night is over: it is {today} at the property.</p>
          )}
          {isForHours && (
            <>
              <p class="soft">A stay without a night is a day use. Choose its hours, such as 10:00 to 16:00.</p>
              <Picked
                of={listAvailableUnits}
                names={['fromTime', 'untilTime']}
                labels={{ fromTime: 'From', untilTime: 'Until' }}
                keep={nights}
                label="Show rooms that are free then"
              />
              {(fromTime || untilTime) && !areChosen && (
                <p class="problem">Enter two times such as 10:00 and 16:00, the earlier one first.</p>
              )}
            </>
          )}
        </section>
        {isInOrder && (!isForHours || areChosen) && (
          <section class="panel">
            <h2>The stay</h2>
            {places.length === 0 ? (
              <p class="soft">Nothing is free {isForHours ? 'during these hours' : 'on all of these nights'}.</p>
            ) : (
              <Act
                does={createReservation}
                to={{ ...nights, ...(isForHours && hours) }}
                label="Create the reservation"
                isPrimary
              >
                <Entry
                  name="place"
                  label="Room"
                  choices={places.map(({ value, label }) => [value, label])}
                  isRequired
                />
                <Entry name="name" of={GuestOfStay} label="Name of the guest" isRequired />
                <Entry name="email" of={GuestOfStay} label="Email address" />
                <Entry name="phone" of={GuestOfStay} />
                <Entry name="adults" of={GuestCounts} value="2" isRequired={false} />
                <Entry name="children" of={GuestCounts} />
                <Entry name="channel" value="direct" />
                <Entry name="notes" label="Notes for staff" />
              </Act>
            )}
          </section>
        )}
      </>
    );
  },
};
