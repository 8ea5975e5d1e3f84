import { readFileSync } from 'node:fs';
import { readCalendar } from '../../../../src/features/reservations/ical/calendar-file.js';
import { staysOf } from '../../../../src/features/reservations/ical/channel-stays.js';

const place = { propertyId: 'property_1', unitId: null };

const staysIn = (file: string) =>
  staysOf(
    readCalendar(readFileSync(`test/support/calendars/${file}.ics`, 'utf8'), {
      timezone: 'Europe/Lisbon',
      today: '2027-01-15',
    }),
    place,
  );

const wholeDays = {
  ...place,
  arrivalTime: null,
  departureTime: null,
  status: 'confirmed',
  confirmationCode: null,
  guestName: null,
};

describe('the calendars that channels write', () => {
  it('Airbnb: reservations by their code, and blocks', () => {
    expect(staysIn('airbnb')).toEqual([
      {
        ...wholeDays,
        externalId: '1418fb94e984-4f21a7c06f9d01c5d9a2b2d1ee5f6a52@airbnb.com',
        checkInDate: '2027-06-10',
        checkOutDate: '2027-06-14',
        channel: 'airbnb',
        confirmationCode: 'HMABCD1234',
        notes:
          'Reserved\nReservation URL: https://www.airbnb.com/hosting/reservations/details/HMABCD1234\nPhone Number (Last 4 Digits): 0147',
      },
      {
        ...wholeDays,
        externalId: '7f662ec65913-e6b41ec25dd0b7ad6c8fd31c4bd80d74@airbnb.com',
        checkInDate: '2027-06-18',
        checkOutDate: '2027-06-20',
        channel: 'airbnb',
        notes: 'Airbnb (Not available)',
      },
    ]);
  });

  it('Booking.com: closed nights', () => {
    expect(staysIn('booking')).toEqual([
      {
        ...wholeDays,
        externalId: '1c3a5bdb9b2d0a26fbb0ed5b4a2ed0fa@booking.com',
        checkInDate: '2027-07-01',
        checkOutDate: '2027-07-05',
        channel: 'booking.com',
        notes: 'CLOSED - Not available',
      },
    ]);
  });

  it('Vrbo: guests by their name, and blocks', () => {
    expect(staysIn('vrbo')).toEqual([
      {
        ...wholeDays,
        externalId: '5d0c5a91-9d2f-4a63-8b0e-7d1e6a3c1f42',
        checkInDate: '2027-08-01',
        checkOutDate: '2027-08-08',
        channel: 'vrbo',
        guestName: 'Núria O’Connor',
        notes: 'Reserved - Núria O’Connor',
      },
      {
        ...wholeDays,
        externalId: '8a7e6c52-50dd-4f5a-a6c5-0b2b0d1e9f11',
        checkInDate: '2027-08-10',
        checkOutDate: '2027-08-12',
        channel: 'vrbo',
        notes: 'Blocked',
      },
    ]);
  });

  it('Google: a series across two clock changes, without excluded dates, with moved ones', () => {
    const weekend = { ...wholeDays, channel: 'google', notes: 'Weekend at the loft\nKeys at the desk' };
    expect(staysIn('google')).toEqual([
      {
        ...weekend,
        externalId: 'weekend@google.com#2027-03-05T10:00:00',
        checkInDate: '2027-03-05',
        checkOutDate: '2027-03-07',
        arrivalTime: '15:00:00',
        departureTime: '11:00:00',
      },
      {
        // New York's clocks went forward on 14 March, Lisbon's go on 28 March: an hour less between them.
        ...weekend,
        externalId: 'weekend@google.com#2027-03-19T10:00:00',
        checkInDate: '2027-03-20',
        checkOutDate: '2027-03-22',
        arrivalTime: '16:00:00',
        departureTime: '10:00:00',
        notes: 'Weekend, a day later',
      },
      {
        ...weekend,
        externalId: 'weekend@google.com#2027-03-26T10:00:00',
        checkInDate: '2027-03-26',
        checkOutDate: '2027-03-28',
        arrivalTime: '14:00:00',
        departureTime: '11:00:00',
      },
      {
        ...wholeDays,
        externalId: 'utc@google.com',
        checkInDate: '2027-04-01',
        checkOutDate: '2027-04-03',
        arrivalTime: '15:00:00',
        departureTime: '10:00:00',
        status: 'cancelled',
        channel: 'google',
        notes: 'Called off',
      },
    ]);
  });

  it('Outlook: a zone that only its file knows', () => {
    expect(staysIn('outlook')).toMatchObject([
      {
        checkInDate: '2027-07-10',
        checkOutDate: '2027-07-12',
        arrivalTime: '15:00:00',
        departureTime: '10:00:00',
        channel: 'ical',
      },
    ]);
  });
});
