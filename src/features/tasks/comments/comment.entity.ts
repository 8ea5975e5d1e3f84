import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { CommentView } from './comment.dto.js';

@Entity('task_comments')
export class TaskComment implements CommentView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('comment') }) id: string;
  @Column('uuid', { transformer: idColumn('task') }) taskId: string;
  @Column('uuid', { transformer: idColumn('member') }) memberId: string;
  @Column('text') text: string;
  @Column('timestamptz') createdAt: string;
}
