import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { ListTasks } from './task.dto.js';
import { Task } from './task.entity.js';

/** Every sort and filter has an index that begins with org_id; tasks without a due time come last either way. */
const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  dueAt: { asc: `coalesce(due_at, 'infinity')`, desc: `coalesce(due_at, '-infinity')` },
};

@Injectable()
export class TasksRepository {
  private readonly table: Table<Task>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Task, cursors);
  }

  find(caller: Caller, taskId: string): Promise<Task | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(taskId)));
  }

  /** The task, locked until the transaction ends, so that a change is made to what was read. */
  findForChange(caller: Caller, taskId: string): Promise<Task | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(taskId)), 'for update');
  }

  list(caller: Caller, filters: ListTasks): Promise<Page<Task>> {
    const where = this.visibleTo(caller)
      .when(filters.status, 'status = ?')
      .when(filters.type, 'type = ?')
      .when(filters.priority, 'priority = ?')
      .when(filters.propertyId && uuidIn(filters.propertyId), 'property_id = ?')
      .when(filters.assigneeId && [uuidIn(filters.assigneeId)], 'assignee_ids @> ?::uuid[]')
      .when(filters.dueFrom, `coalesce(due_at, 'infinity') >= ?::timestamptz and due_at is not null`)
      .when(filters.dueBefore, `coalesce(due_at, 'infinity') < ?::timestamptz`)
      .when(filters.updatedSince, 'updated_at >= ?::timestamptz');
    const { limit, cursor, sort } = filters;
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  insert(task: Task): Task {
    return this.table.insertAtCommit(task);
  }

  update(task: Task, changes: Partial<Task>): Promise<Task> {
    return this.table.update(task, changes);
  }

  /** A credential that is limited to some properties sees the tasks at them and no other. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
