import type { AutomaticTask } from '../../tenancy/properties/work.dto.js';
import type { Stay } from '../../tenancy/stays/stay.js';
import { checklistFrom } from './checklist.js';
import { newTask, type Task } from './task.entity.js';
import { looksAround } from './task-times.js';

/** A task as its property plans it for every stay. */
export const automaticTask = (
  orgId: string,
  { id: reservationId, propertyId, unitId }: Stay,
  { checklist = [], ...given }: Omit<AutomaticTask, 'timeRule'>,
  times: Partial<Task>,
): Task =>
  newTask(orgId, {
    ...given,
    ...times,
    checklist: checklistFrom(checklist),
    propertyId,
    unitId,
    reservationId,
    source: 'automatic',
  });

/** Whether its times depend on the stays before and after its own. */
export const looksAroundIn = ({ timeRule }: Task): boolean => timeRule !== null && looksAround(timeRule);

/** The cleaning of a room that its guests left for another one: the only automatic work without a rule. */
export const isOfLeftRoom = ({ source, timeRule }: Task): boolean => source === 'automatic' && !timeRule;

export const startsAfter = ({ canStartAt }: Task, at: string): boolean => canStartAt !== null && canStartAt > at;

/** Whether guests were to leave their room for another one after they have left the house: their departure has its own work. */
export const isOfRoomKept = (task: Task, { unitId, departedAt }: Stay): boolean =>
  isOfLeftRoom(task) && task.unitId === unitId && departedAt !== null && startsAfter(task, departedAt);
