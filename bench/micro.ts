/** Single steps of a request in a tight loop: `node dist/bench/micro.js`. For exploration, not for goals. */
import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { fingerprintOf } from '#idempotency';
import { one, page, readInput, successEnvelope } from '#operations';
import { Cursors, isoTime, newId } from '#persistence';
import { newApiKey } from '#regions';
import { Keyring, newKeyringData } from '#secrets';
import { CreateTask } from '../src/features/tasks/task-changes.dto.js';
import { TaskView } from '../src/features/tasks/task.dto.js';
import { textTable } from './report.js';
import { median } from './statistics.js';

const input = {
  name: 'Clean apartment 12',
  type: 'cleaning',
  dueAt: '2027-03-01T15:00:00+01:00',
  checklist: [{ title: 'Change the linen', required: true }, { title: 'Water the plants' }],
  metadata: { floor: '2' },
};
const now = new Date().toISOString();
const task = {
  ...input,
  id: newId('task'),
  orgId: newId('org'),
  description: null,
  status: 'pending',
  priority: 'normal',
  propertyId: null,
  assigneeIds: [],
  externalRefs: [],
  source: 'manual',
  version: 1,
  createdAt: now,
  updatedAt: now,
};
const tasks = { items: Array.from({ length: 20 }, () => task), limit: 20, nextCursor: null };
const keyring = new Keyring(newKeyringData());
const cursors = new Cursors(keyring.derive('cursors'));
const token = newApiKey('live', 'us');

const steps: Record<string, () => unknown> = {
  'answer with 20 tasks': () => JSON.stringify(successEnvelope(page(TaskView), tasks, 'request')),
  'answer with one task': () => JSON.stringify(successEnvelope(one(TaskView), task, 'request')),
  'read the input of createTask': () => readInput(CreateTask, input),
  'the same by class-validator alone': () => validateSync(plainToInstance(CreateTask, input)),
  'hash a bearer': () => keyring.hash(token),
  'sign a cursor': () => cursors.write([null, task.id], 'tasks'),
  'fingerprint of createTask': () => fingerprintOf('createTask', input),
  'a time of Postgres as ISO 8601': () => isoTime('2026-11-21 03:25:00.123456+00'),
  'a new id': () => newId('task'),
};

const runs = 9;
const sliceMs = 60;

/** CPU microseconds of one call: the median of several slices of time. */
function costOf(step: () => unknown): number {
  const costs = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    let calls = 0;
    for (const end = performance.now() + sliceMs; performance.now() < end; calls += 50) {
      for (let call = 0; call < 50; call += 1) step();
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  });
  return median(costs);
}

const rows = Object.entries(steps).map(([name, step]) => [name, costOf(step).toFixed(2)]);
process.stdout.write(`${textTable([['step', 'CPU µs'], ...rows])}\n`);
