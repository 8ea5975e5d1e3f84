import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { called, type Changed, containing, Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { referredTo } from '../../tenancy/references/referred-to.js';
import type { Place } from '../../tenancy/stays/place.js';
import { type CountTasks, type ListTasks, type TaskCountsView } from './task-lists.dto.js';
import { taskStatuses } from './task.dto.js';
import { Task } from './task.entity.js';

/**
 * Tasks without a due time come last in both directions. Written with CASE, like the indexes: row security prevents
 * index use with COALESCE, which is not leakproof.
 */
const dueOr = (other: string): string => `(case when due_at is null then '${other}'::timestamptz else due_at end)`;

/** Every sort and filter has an index that starts with org_id. */
const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  dueAt: { asc: dueOr('infinity'), desc: dueOr('-infinity') },
};
const isAssignedTo =
  'id in (select a.task_id from task_assignees a where a.org_id = tasks.org_id and a.assignee_id = ?)';
const isOpen = `status in ('pending', 'in_progress')`;
const isOverdue = `${isOpen} and ${dueOr('infinity')} < ?::timestamptz`;

@Injectable()
export class TasksRepository {
  private readonly table: Table<Task>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Task, cursors);
  }

  /** The fields that are stored, of those of a record and its view. */
  columnsOf(fields: object): Partial<Task> {
    return this.table.columnsOf(fields);
  }

  find(caller: Caller, taskId: string): Promise<Task | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(taskId)));
  }

  /** For work that no request asked for. */
  findAny(orgId: string, taskId: string): Promise<Task | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(taskId)));
  }

  /** The tasks, locked until the transaction ends, in one order so that two bulk changes cannot lock each other out. */
  findForChange(caller: Caller, taskIds: readonly string[]): Promise<Task[]> {
    const where = this.visibleTo(caller).and('id = any(?::uuid[])', taskIds.map(uuidIn));
    return this.table.find(caller.orgId, where, 'order by id for no key update');
  }

  /** The pending and started tasks of stays, locked in the same order as in a bulk change. */
  openOf(orgId: string, reservationIds: readonly string[]): Promise<Task[]> {
    const where = this.table.where(orgId).and('reservation_id = any(?::uuid[])', reservationIds.map(uuidIn));
    return this.table.find(orgId, where.and(isOpen), 'order by id for no key update');
  }

  /** How many of the pending and started tasks of stays have their times from them. */
  async countTimed(orgId: string, reservationIds: readonly string[]): Promise<number> {
    const [row] = await this.database.rows(
      orgId,
      `select count(*)::integer as count from tasks
        where org_id = $1 and reservation_id = any($2::uuid[]) and ${isOpen} and time_rule is not null`,
      [uuidIn(orgId), reservationIds.map(uuidIn)],
    );
    return row?.count as number;
  }

  /** The automatic tasks of stays that count: those cancelled with them, and those that nobody cancelled. */
  plannedFor(orgId: string, reservationIds: readonly string[]): Promise<Task[]> {
    const where = this.table.where(orgId).and('reservation_id = any(?::uuid[])', reservationIds.map(uuidIn));
    where.and(`source = 'automatic' and (status <> 'cancelled' or called_off)`);
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  /** The tasks of stays, and the open ones in units, the first due first. */
  of(caller: Caller, reservationIds: readonly string[], unitIds: readonly string[]): Promise<Task[]> {
    const where = this.visibleTo(caller).and(
      `(reservation_id = any(?::uuid[]) or unit_id = any(?::uuid[]) and ${isOpen}) and archived_at is null`,
      reservationIds.map(uuidIn),
      unitIds.map(uuidIn),
    );
    return this.table.find(caller.orgId, where, 'order by due_at nulls last, id limit 1000');
  }

  /** The tasks at a place that others of their series follow on. */
  seriesAt(orgId: string, { propertyId, unitId }: Place): Promise<Task[]> {
    const where = this.table
      .where(orgId)
      .and('property_id = ?', uuidIn(propertyId))
      .when(unitId && uuidIn(unitId), 'unit_id = ?')
      .and('next_occurrence_at is not null and archived_at is null');
    return this.table.find(orgId, where);
  }

  list(caller: Caller, filters: ListTasks): Promise<Page<Task>> {
    const { limit, cursor, sort, archived, updatedSince } = filters;
    const where = this.filtered(caller, filters)
      .when(filters.status, 'status = ?')
      .when(filters.statuses, 'status = any(?)')
      .when(filters.types, 'type = any(?)')
      .when(filters.priority, 'priority = ?')
      .when(filters.unitId && uuidIn(filters.unitId), 'unit_id = ?')
      .when(filters.reservationId && uuidIn(filters.reservationId), 'reservation_id = ?')
      .whenWithin(filters.dueFrom, `${dueOr('infinity')} >= ?::timestamptz and due_at is not null`)
      .whenWithin(filters.dueBefore, `${dueOr('infinity')} < ?::timestamptz`)
      .since(updatedSince)
      .searching(filters.q && containing(filters.q), called('tasks'));
    if (filters.open !== undefined) where.and(filters.open ? isOpen : `not (${isOpen})`);
    if (filters.overdue !== undefined) where.andNow(filters.overdue ? isOverdue : `not (${isOverdue})`);
    where.idsFirst = filters.overdue === true;
    if (archived !== undefined || updatedSince === undefined)
      where.and(`archived_at is ${archived ? 'not null' : 'null'}`);
    referredTo(where, 'task', filters);
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  async count(caller: Caller, filters: CountTasks): Promise<TaskCountsView> {
    const where = this.filtered(caller, filters).and('archived_at is null');
    const byStatus = Object.fromEntries(taskStatuses.map((status) => [status, `status = '${status}'`]));
    return (await this.table.counts(caller.orgId, where, byStatus)) as unknown as TaskCountsView;
  }

  insertAtCommit(task: Task): Task {
    return this.table.insertAtCommit(task);
  }

  insertAllAtCommit(tasks: readonly Task[]): Promise<void> {
    return this.table.insertAllAtCommit(tasks);
  }

  /** Changes of its own to each of many tasks, which are locked. */
  updateEach(wanted: readonly { row: Task; changes: Partial<Task> }[]): Promise<Changed<Task>[]> {
    return this.table.updateEach(wanted);
  }

  update(task: Task, changes: Partial<Task>): Promise<Task> {
    return this.table.update(task, changes);
  }

  /** The same changes to many tasks of one organization, in one statement. */
  updateAll(tasks: readonly Task[], changes: Partial<Task>): Promise<Changed<Task>[]> {
    return this.table.updateAll(tasks, changes);
  }

  private filtered(caller: Caller, { propertyId, assigneeId, type }: CountTasks): Where {
    return this.visibleTo(caller)
      .when(propertyId && uuidIn(propertyId), 'property_id = ?')
      .whenWithin(assigneeId && uuidIn(assigneeId), isAssignedTo)
      .when(type, 'type = ?');
  }

  /** A credential that is limited to some properties sees the tasks at them and no other. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
