import { day, hotelOf } from '../../../support/hotel.js';
import { nightsFromToday, propertyOf } from '../../../support/factories.js';
import { made, patching, posting, type Scenes, world } from './world.js';

export const stay = async (wishes: object = {}): Promise<string> =>
  await made('/reservations', {
    propertyId: await propertyOf(world.api),
    checkInDate: '2027-03-01',
    checkOutDate: '2027-03-05',
    ...wishes,
  });

const checkedIn = async (): Promise<string> => {
  const id = await stay();
  await world.api.post(`/reservations/${id}/check-in`, { early: true });
  return id;
};

/** A stay with a change. */
const havingDone = async (make: () => Promise<string>, verb: string): Promise<string> => {
  const id = await make();
  await world.api.post(`/reservations/${id}/${verb}`);
  return id;
};

const due = (): Promise<string> => stay(nightsFromToday());

const ofStay = (path: string) => (id: string) => `/reservations/${id}${path}`;

export const stays: Scenes = {
  createReservation: [
    ['guest.created', 'reservation.created'],
    async () => {
      const stayed = { propertyId: await propertyOf(world.api), checkInDate: '2027-01-01', checkOutDate: '2027-01-02' };
      return () => world.api.post('/reservations', { ...stayed, primaryGuest: { name: 'Quentin' } });
    },
  ],
  updateReservation: [['reservation.updated'], patching(() => stay(), ofStay(''), { notes: 'Quentin likes tea' })],
  moveReservation: [
    ['reservation.moved'],
    posting(() => stay(), ofStay('/move'), { checkInDate: '2027-04-01', checkOutDate: '2027-04-03' }),
  ],
  cancelReservation: [['reservation.cancelled'], posting(() => stay(), ofStay('/cancel'))],
  reinstateReservation: [
    ['reservation.reinstated'],
    posting(() => havingDone(() => stay(), 'cancel'), ofStay('/reinstate')),
  ],
  assignUnit: [
    ['reservation.unit_assigned'],
    async () => {
      const { rooms, stay: book } = await hotelOf(world.api, { Double: ['101'] });
      const { id } = await book(1, 3, 'Double');
      return () => world.api.post(`/reservations/${id}/assign-unit`, { unitId: rooms['101'] });
    },
  ],
  assignUnits: [
    ['reservation.unit_assigned'],
    async () => {
      const { propertyId, stay: book } = await hotelOf(world.api, { Double: ['101'] });
      await book(1, 3, 'Double');
      return () => world.api.post(`/properties/${propertyId}/assign-units`, { date: day(1) });
    },
  ],
  unassignUnit: [
    ['reservation.unit_unassigned'],
    async () => {
      const { id } = await (await hotelOf(world.api, { Double: ['101'] })).stay(1, 3, '101');
      return () => world.api.post(`/reservations/${id}/unassign-unit`);
    },
  ],
  checkInReservation: [['reservation.checked_in'], posting(() => stay(), ofStay('/check-in'), { early: true })],
  undoCheckIn: [['reservation.check_in_undone'], posting(checkedIn, ofStay('/undo-check-in'))],
  checkOutReservation: [['reservation.checked_out', 'property.status_set'], posting(checkedIn, ofStay('/check-out'))],
  undoCheckOut: [
    ['reservation.check_out_undone'],
    posting(() => havingDone(checkedIn, 'check-out'), ofStay('/undo-check-out')),
  ],
  markNoShow: [['reservation.no_show_marked'], posting(due, ofStay('/no-show'))],
  undoNoShow: [['reservation.no_show_undone'], posting(() => havingDone(due, 'no-show'), ofStay('/undo-no-show'))],
  createGuest: [['guest.created'], () => Promise.resolve(() => world.api.post('/guests', { name: 'Quentin' }))],
  updateGuest: [
    ['guest.updated'],
    patching(
      () => made('/guests', { name: 'Quentin' }),
      (id) => `/guests/${id}`,
      { phone: '+351 555 0100' },
    ),
  ],
  mergeGuests: [
    ['reservation.updated', 'guest.updated', 'guest.merged'],
    async () => {
      const [id, fromGuestId] = [
        await made('/guests', { name: 'Ana' }),
        await made('/guests', { name: 'A', phone: '1' }),
      ];
      await stay({ primaryGuest: { id: fromGuestId } });
      return () => world.api.post(`/guests/${id}/merge`, { fromGuestId });
    },
  ],
  eraseGuest: [
    ['reservation.updated', 'guest.erased'],
    async () => {
      const id = await made('/guests', { name: 'Quentin', notes: 'Quite tall' });
      await stay({ primaryGuest: { id } });
      return () => world.api.delete(`/guests/${id}`);
    },
  ],
};
