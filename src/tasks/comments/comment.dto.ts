import { IntersectionType } from '@nestjs/swagger';
import { Id, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';
import { ThisTask } from '../task.dto.js';

export class CommentOnTask extends ThisTask {
  @Text({ about: 'What is to be said.', max: 10_000 }) text: string;
}

export class ListTaskComments extends IntersectionType(ThisTask, PageOf(['createdAt'])) {}

export class CommentView {
  @Id('comment', { about: 'The comment.' }) id: string;
  @Id('task', { about: 'The task.' }) taskId: string;
  @Id('member', { about: 'Who said it.' }) memberId: string;
  @Text({ about: 'What was said.', max: 10_000 }) text: string;
  @Timestamp({ about: 'When it was said.' }) createdAt: string;
}
