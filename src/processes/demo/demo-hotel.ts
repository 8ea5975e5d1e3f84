import type { CreateProperty } from '../../tenancy/properties/property.dto.js';
import { metadata, turnover } from './demo-places.js';

/** A hotel that sells its rooms by type, and gives them out on the day of arrival. */
export const demoHotel: CreateProperty = {
  name: 'Grand Hotel Aurora',
  type: 'hotel',
  timezone: 'Europe/Lisbon',
  address: { line1: 'Avenida da Liberdade 90', city: 'Lisboa', postalCode: '1250-145', country: 'PT' },
  wifi: { networkName: 'aurora-guests', password: 'northern-lights' },
  automaticTasks: [turnover],
  tags: ['city', 'breakfast'],
  metadata,
};

export const demoTypes = [
  { name: 'Single', code: 'SGL', capacity: 1 },
  { name: 'Double', code: 'DBL', capacity: 2 },
  { name: 'Family', code: 'FAM', capacity: 4 },
  { name: 'Suite', code: 'SUI', capacity: 3 },
] as const;
type TypeCode = (typeof demoTypes)[number]['code'];

export const floors = 5;
/** The rooms of a floor, in order: 40 on five floors. */
export const roomsOfFloor: readonly TypeCode[] = ['SGL', 'SGL', 'DBL', 'DBL', 'DBL', 'DBL', 'FAM', 'SUI'];

/** What happens to a stay of the hotel after it is booked. */
export type HotelEnd = 'waits' | 'assigned' | 'in_house' | 'left_early' | 'no_show' | 'left' | 'released';

export interface HotelStay {
  type: TypeCode;
  /** Days from today. */
  arrivesIn: number;
  nights: number;
  end: HotelEnd;
  groupRef?: string;
}

const stays = (count: number, stay: HotelStay): HotelStay[] => Array.from({ length: count }, () => stay);

/** A month around today: past stays, who is in house, today's arrivals, a wedding, and future stays. */
export const hotelStays: readonly HotelStay[] = [
  ...stays(6, { type: 'DBL', arrivesIn: -14, nights: 4, end: 'left' }),
  ...stays(4, { type: 'SGL', arrivesIn: -9, nights: 3, end: 'left' }),
  ...stays(3, { type: 'FAM', arrivesIn: -8, nights: 5, end: 'left' }),
  { type: 'SUI', arrivesIn: -5, nights: 9, end: 'left_early' },
  { type: 'DBL', arrivesIn: -3, nights: 2, end: 'no_show' },
  { type: 'FAM', arrivesIn: -2, nights: 6, end: 'released' },
  { type: 'DBL', arrivesIn: -2, nights: 4, end: 'in_house' },
  { type: 'SGL', arrivesIn: -1, nights: 2, end: 'in_house' },
  ...stays(2, { type: 'DBL', arrivesIn: 0, nights: 2, end: 'waits' }),
  { type: 'SUI', arrivesIn: 0, nights: 3, end: 'assigned' },
  ...stays(12, { type: 'DBL', arrivesIn: 5, nights: 2, end: 'waits', groupRef: 'WEDDING-27' }),
  ...stays(3, { type: 'SUI', arrivesIn: 5, nights: 2, end: 'assigned', groupRef: 'WEDDING-27' }),
  ...stays(4, { type: 'FAM', arrivesIn: 8, nights: 7, end: 'waits' }),
  ...stays(6, { type: 'SGL', arrivesIn: 14, nights: 2, end: 'waits' }),
];
