import type { Operation } from '#operations';
import { doors } from '../../support/doors.js';
import { simulatorOf } from '../../support/simulator.js';
import { type Ids, makers, type Place } from '../authorization/fixtures.js';
import type { Kind } from '../authorization/oracle.js';
import { addressOf, bodyOf, targetOf, type Targets } from '../authorization/targets.js';

let count = 0;
/** Two days that no stay has yet, before those that open-ended blocks take. */
function nights(from = Date.UTC(2027, 0)): { checkInDate: string; checkOutDate: string } {
  const nextDay = (): string => new Date(from + (count += 1) * 86_400_000).toISOString().slice(0, 10);
  return { checkInDate: nextDay(), checkOutDate: nextDay() };
}
/** The same, when the guests should have arrived. */
const pastNights = (): object => nights(Date.UTC(2000, 0));

/** What must happen to a new record before an operation can be performed on it. */
const before: Record<string, [operation: string, wishes?: object | (() => object)][]> = {
  checkOutReservation: [['checkInReservation', { early: true }]],
  markNoShow: [['moveReservation', pastNights]],
  pauseWorkflow: [['activateWorkflow']],
  reopenTask: [['completeTask']],
  revealWifi: [['updateProperty', { wifi: { networkName: 'Lake', password: 'a secret' } }]],
  rollBackEmailTemplate: [
    ['publishEmailTemplate'],
    ['updateEmailTemplate', { subject: 'Hello' }],
    ['publishEmailTemplate'],
  ],
  runWorkflow: [['activateWorkflow']],
  reinstateReservation: [['cancelReservation']],
  undoCheckIn: [['checkInReservation', { early: true }]],
  undoNoShow: [['moveReservation', pastNights], ['markNoShow']],
  undoCheckOut: [['checkInReservation', { early: true }], ['checkOutReservation']],
};

/** What an operation needs to succeed each time, where a rejection is enough for the oracle of the matrix. */
const wishes: Record<string, (targets: Targets, place: Place) => object | Promise<object>> = {
  addSuppression: () => ({ email: `quiet-${(count += 1)}@tests.example` }),
  changeTasksInBulk: ({ own }) => ({ taskIds: [own.task.task], action: 'start' }),
  checkInReservation: () => ({ early: true }),
  createReservation: () => nights(),
  createRole: () => ({ name: `Made ${(count += 1)}` }),
  inviteMember: () => ({ email: `made-${(count += 1)}@tests.example` }),
  mergeGuests: async (_, place) => ({ fromGuestId: (await makers.guest(place)).guest }),
  moveReservation: () => nights(),
  publishGuide: () => ({ force: true }),
  replayWebhookDeliveries: () => ({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
  retranslateGuideText: () => ({ locale: 'pt', textKeys: ['name'] }),
};

const ofThermostats = ['setDeviceMode', 'setDeviceTemperature'];

/**
 * These need records that people and workers have changed, stays sold by type, a connection that pushes, or a mail
 * server: the suites of their features test them.
 */
export const notDoneHere = [
  'cancelModelJob',
  'cancelWorkflowRun',
  'reinstateMember',
  'resendInvitation',
  'retryWorkflowRun',
  'saveGuestsInBulk',
  'savePropertiesInBulk',
  'saveReservationsInBulk',
  'saveUnitsInBulk',
  'saveUnitTypesInBulk',
  'sendTestEmail',
  'suspendMember',
  'unassignUnit',
  'undoChanges',
];

/** A valid input of an operation, for a new record if it names one: its path, and the minimum of everything else. */
export async function beginningOf(
  operation: Operation,
  place: Place,
  targets: Targets,
): Promise<{ address: object; least: object }> {
  const least = { ...bodyOf(operation, targets), ...(await wishes[operation.name]?.(targets, place)) };
  const kind = targetOf(operation);
  if (!kind) return { address: {}, least };
  const address = addressOf(operation, await recordFor(operation.name, kind, place));
  const door = doors(place.service).rest.as(place.api.key);
  for (const [name, input] of before[operation.name] ?? []) {
    const { status, body } = await door.ask(name, { ...address, ...(typeof input === 'function' ? input() : input) });
    if (status !== 200) throw new Error(`${name} before ${operation.name}: ${JSON.stringify(body)}`);
  }
  return { address, least };
}

async function recordFor(name: string, kind: Kind, place: Place): Promise<Ids> {
  if (!ofThermostats.includes(name)) return await makers[kind](place);
  const { devices } = await simulatorOf(place.api, { propertyId: place.propertyId });
  return { device: devices['sim-thermostat-1'] };
}
