import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { following } from '../../../src/features/tasks/recurrence/following.js';
import { newTask, type Task } from '../../../src/features/tasks/task.entity.js';

const occursAt = '2026-03-08T09:00:00.000Z';
const done = newTask('org_1', {
  name: 'Check the boiler',
  priority: 'high',
  status: 'completed',
  canStartAt: '2026-03-01T09:00:00.000Z',
  dueAt: '2026-03-01T11:00:00.000Z',
  reservationId: 'reservation_1',
  externalRefs: [{} as Task['externalRefs'][number]],
  files: [{} as Task['files'][number]],
  checklist: [{ id: 'item_1', title: 'Look at the gauge', required: true, done: true, result: 'passed' }],
  recurrence: 'FREQ=WEEKLY',
  seriesStart: '2026-03-01T09:00:00.000Z',
  startedAt: '2026-03-01T09:10:00.000Z',
  completedAt: '2026-03-01T09:40:00.000Z',
});

describe('a field of tasks without a rule', () => {
  const root = resolve(import.meta.dirname, '../../../src/features/tasks');

  it.each(['cost', 'durationMinutes'])('is in its input, its view and its row, and nowhere else: %s', (field) => {
    const naming = globSync('**/*.ts', { cwd: root }).filter((file) =>
      new RegExp(`\\b${field}\\b`).test(readFileSync(resolve(root, file), 'utf8')),
    );
    expect(naming.toSorted()).toEqual(['task-changes.dto.ts', 'task.dto.ts', 'task.entity.ts']);
  });
});

describe('the next task of a series', () => {
  it('has a field that was added to tasks, without code for series', () => {
    const extended = Object.assign(newTask('org_1', done), { floor: 'third' });
    expect(following(extended, occursAt)).toMatchObject({ name: 'Check the boiler', priority: 'high', floor: 'third' });
  });

  it('has nothing that belonged to the previous one, and its times have the same distance', () => {
    expect(following(done, occursAt)).toMatchObject({
      status: 'pending',
      reservationId: null,
      externalRefs: [],
      files: [],
      checklist: [{ title: 'Look at the gauge', required: true, done: false, result: null }],
      startedAt: null,
      completedAt: null,
      canStartAt: occursAt,
      dueAt: '2026-03-08T11:00:00.000Z',
      nextOccurrenceAt: occursAt,
      recurrence: 'FREQ=WEEKLY',
      seriesStart: '2026-03-01T09:00:00.000Z',
      source: 'automatic',
      version: 1,
    });
    expect(following(done, occursAt).id).not.toBe(done.id);
  });
});
