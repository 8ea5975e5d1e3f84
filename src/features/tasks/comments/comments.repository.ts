import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import type { ListTaskComments } from './comment.dto.js';
import { TaskComment } from './comment.entity.js';

/** Comments are reached through their task, which the credential must see. */
@Injectable()
export class CommentsRepository {
  private readonly table: Table<TaskComment>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, TaskComment, cursors);
  }

  list(orgId: string, { taskId, limit, cursor, sort }: ListTaskComments): Promise<Page<TaskComment>> {
    return this.table.page(orgId, this.table.where(orgId).and('task_id = ?', uuidIn(taskId)), { limit, cursor, sort });
  }

  insert(comment: TaskComment): Promise<TaskComment> {
    return this.table.insert(comment);
  }
}
