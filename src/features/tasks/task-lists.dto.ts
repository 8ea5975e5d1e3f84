import { Flag, Id, Int, IntersectionType, ListOf, OneOf, PageOf, SearchText, Timestamp } from '#operations';
import { ReferredTo } from '../../tenancy/references/external-ref.dto.js';
import { type TaskType, taskTypes } from '../../tenancy/properties/work.dto.js';
import { taskStatuses, type TaskStatus, taskPriorities, type TaskPriority } from './task.dto.js';

export class ListTasks extends IntersectionType(PageOf(['createdAt', 'updatedAt', 'dueAt']), ReferredTo) {
  @OneOf(taskStatuses, { description: 'Only this status.', optional: true })
  status?: TaskStatus;

  @OneOf(taskTypes, { description: 'Only this type.', optional: true })
  type?: TaskType;

  @ListOf({ oneOf: taskStatuses }, { description: 'Only these statuses.', optional: true, min: 1, max: 4 })
  statuses?: TaskStatus[];

  @ListOf({ oneOf: taskTypes }, { description: 'Only these types.', optional: true, min: 1, max: 9 })
  types?: TaskType[];

  @Flag({
    description: 'true: only pending and started tasks; false: only others.',
    optional: true,
  })
  open?: boolean;

  @Flag({
    description: 'true: only open tasks past their due time; false: only others.',
    optional: true,
  })
  overdue?: boolean;

  @SearchText({ description: 'Only tasks whose name contains this text.', min: 3, optional: true }) q?: string;

  @OneOf(taskPriorities, { description: 'Only this priority.', optional: true })
  priority?: TaskPriority;

  @Id('property', { description: 'Only tasks at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;

  @Id('unit', { description: 'Only tasks in this unit (unit_…), from listUnits.', optional: true }) unitId?: string;

  @Id('reservation', { description: 'Only tasks of this stay (reservation_…), from listReservations.', optional: true })
  reservationId?: string;

  @Id('member', { description: 'Only tasks assigned to this member (member_…), from listMembers.', optional: true })
  assigneeId?: string;

  @Timestamp({ description: 'Only due at or after this time.', optional: true })
  dueFrom?: string;

  @Timestamp({ description: 'Only due before this time.', optional: true })
  dueBefore?: string;

  @Timestamp({ description: 'Only tasks changed since this time, including archived ones.', optional: true })
  updatedSince?: string;

  @Flag({
    description: 'true: only archived tasks; default: only others.',
    optional: true,
  })
  archived?: boolean;
}

export class CountTasks {
  @Id('property', { description: 'Only tasks at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;

  @Id('member', { description: 'Only tasks assigned to this member (member_…), from listMembers.', optional: true })
  assigneeId?: string;

  @OneOf(taskTypes, { description: 'Only tasks of this type.', optional: true })
  type?: TaskType;
}

const mostCounted = 1_001;

/** Tasks by status; a number of 1,001 says that there are more than a thousand. */
export class TaskCountsView {
  @Int({ description: 'Tasks that have not been started.', min: 0, max: mostCounted }) pending: number;
  @Int({ description: 'Started tasks.', min: 0, max: mostCounted }) in_progress: number;
  @Int({ description: 'Completed tasks.', min: 0, max: mostCounted }) completed: number;
  @Int({ description: 'Cancelled tasks.', min: 0, max: mostCounted }) cancelled: number;
}
