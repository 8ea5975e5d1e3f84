import { Id, IntersectionType, PageOf, Text, Timestamp } from '#operations';
import { ThisTask } from '../task-changes.dto.js';

export class CommentOnTask extends ThisTask {
  @Text({ description: 'Text of the comment.', max: 10_000 }) text: string;
}

export class ListTaskComments extends IntersectionType(ThisTask, PageOf(['createdAt'])) {}

export class CommentView {
  @Id('comment', { description: 'Comment id (comment_…).' }) id: string;
  @Id('task', { description: 'Task id (task_…).' }) taskId: string;
  @Id('member', { description: 'Member who wrote the comment (member_…).' }) memberId: string;
  @Text({ description: 'Text of the comment.', max: 10_000 }) text: string;
  @Timestamp({ description: 'When the comment was written.' }) createdAt: string;
}
