import { newTask, type Task } from '../task.entity.js';

/**
 * The task of another occurrence: the same work, none of it done, its times as far apart as before. It has every field of
 * the task but those named here, which belong to one occurrence.
 */
export function following(task: Task, occursAt: string): Task {
  const {
    status: _status,
    reservationId: _reservationId,
    timeRule: _timeRule,
    externalRefs: _externalRefs,
    files: _files,
    attachments: _attachments,
    startedAt: _startedAt,
    completedAt: _completedAt,
    cancelledAt: _cancelledAt,
    calledOff: _calledOff,
    archivedAt: _archivedAt,
    ...work
  } = task;
  const anchor = Date.parse((task.canStartAt ?? task.dueAt) as string);
  const shifted = (time: string | null): string | null =>
    time && new Date(Date.parse(time) - anchor + Date.parse(occursAt)).toISOString();
  return newTask(task.orgId, {
    ...work,
    checklist: task.checklist.map((item) => ({ ...item, done: false, result: null })),
    canStartAt: shifted(task.canStartAt),
    dueAt: shifted(task.dueAt),
    nextOccurrenceAt: occursAt,
    source: 'automatic',
  });
}
