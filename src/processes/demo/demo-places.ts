import type { CreateProperty } from '../../tenancy/properties/property.dto.js';
import type { AutomaticTask } from '../../tenancy/properties/work.dto.js';

/** A property of the demo with the units that it lets; without units it is let as a whole. */
export interface DemoProperty {
  property: CreateProperty;
  units: readonly { name: string; capacity: number }[];
}

export const turnover: AutomaticTask = {
  name: 'Turnover cleaning',
  type: 'cleaning',
  timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'next_arrival', offsetMinutes: -60 } },
  checklist: [
    { title: 'Change the linen', required: true },
    { title: 'Clean kitchen and bathroom', required: true },
    { title: 'Fill up coffee and soap' },
  ],
};

const welcome: AutomaticTask = {
  name: 'Welcome the guests',
  type: 'check_in',
  timeRule: { start: { event: 'arrival', offsetMinutes: -60 }, end: { event: 'arrival', offsetMinutes: 60 } },
};

const inspection: AutomaticTask = {
  name: 'Inspect the room',
  type: 'inspection',
  timeRule: { start: { event: 'departure', offsetMinutes: 90 }, end: { event: 'departure', offsetMinutes: 240 } },
};

/** Marks the demo's records, so that a second run recognizes them. */
export const metadata = { demo: 'true' };

export const demoProperties: readonly DemoProperty[] = [
  {
    property: {
      name: 'Casa Azul',
      type: 'apartment',
      timezone: 'Europe/Lisbon',
      address: { line1: 'Rua das Flores 12', city: 'Lisboa', postalCode: '1200-195', country: 'PT' },
      geo: { latitude: 38.7106, longitude: -9.1432 },
      capacity: 4,
      wifi: { networkName: 'casa-azul', password: 'atlantic-breeze' },
      automaticTasks: [turnover, welcome],
      tags: ['city', 'balcony'],
      metadata,
    },
    units: [],
  },
  {
    property: {
      name: 'Lakeside Cabin',
      type: 'cabin',
      timezone: 'America/New_York',
      address: { line1: '4 Shore Road', city: 'Lake Placid', state: 'NY', postalCode: '12946', country: 'US' },
      geo: { latitude: 44.2795, longitude: -73.9799 },
      checkInTime: '16:00',
      checkOutTime: '10:00',
      capacity: 6,
      wifi: { networkName: 'cabin', password: 'pinecones-42' },
      automaticTasks: [turnover],
      tags: ['lake', 'dogs'],
      metadata,
    },
    units: [],
  },
  {
    property: {
      name: 'Harbour Loft',
      type: 'apartment',
      timezone: 'Europe/Copenhagen',
      address: { line1: 'Nyhavn 31', city: 'København', postalCode: '1051', country: 'DK' },
      geo: { latitude: 55.6797, longitude: 12.5917 },
      capacity: 2,
      wifi: { networkName: 'loft', password: 'little-mermaid' },
      automaticTasks: [turnover, welcome],
      tags: ['city', 'harbour'],
      metadata,
    },
    units: [],
  },
  {
    property: {
      name: 'Hotel Miramar',
      type: 'hotel',
      timezone: 'Europe/Madrid',
      address: { line1: 'Paseo Marítimo 8', city: 'Málaga', postalCode: '29016', country: 'ES' },
      geo: { latitude: 36.7189, longitude: -4.4068 },
      checkInTime: '14:00',
      checkOutTime: '12:00',
      wifi: { networkName: 'miramar-guests', password: 'sea-and-sun' },
      automaticTasks: [turnover, inspection],
      tags: ['beach'],
      metadata,
    },
    units: [
      { name: '101', capacity: 2 },
      { name: '102', capacity: 2 },
      { name: '201', capacity: 3 },
      { name: '202', capacity: 4 },
    ],
  },
  {
    // Added recently: it has no automatic tasks.
    property: {
      name: 'Garden Studios',
      type: 'apartment',
      timezone: 'Europe/Lisbon',
      address: { line1: 'Travessa do Jasmim 5', city: 'Lisboa', postalCode: '1200-230', country: 'PT' },
      capacity: 2,
      tags: ['city', 'garden'],
      metadata,
    },
    units: [
      { name: 'Jasmine', capacity: 2 },
      { name: 'Lavender', capacity: 2 },
    ],
  },
];
