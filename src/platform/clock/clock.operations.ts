import { NoInput, one, operation } from '#operations';
import { AdvanceClock, ClockView } from './clock.dto.js';

export const getClock = operation({
  name: 'getClock',
  onlyInTests: true,
  route: 'GET /clock',
  scope: 'clock:manage',
  effect: 'read',
  reach: 'organization',
  title: 'Get the time of the test environment',
  description: 'Returns the time of this test environment, and how far ahead of real time it is.',
  input: NoInput,
  output: one(ClockView),
});

export const advanceClock = operation({
  name: 'advanceClock',
  onlyInTests: true,
  route: 'POST /clock/advance',
  scope: 'clock:manage',
  effect: 'write',
  reach: 'organization',
  title: 'Advance the time of the test environment',
  description:
    'Moves the time of this test environment forward by up to 400 days, for every process within a second. Work that has become due is done. The clock cannot be moved back.',
  input: AdvanceClock,
  output: one(ClockView),
  // The clock applies to all organizations.
  transaction: 'own',
});
