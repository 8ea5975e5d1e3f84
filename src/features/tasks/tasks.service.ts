import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { deletionOf, type DeletionView, merging, type Page } from '#operations';
import { newId } from '#persistence';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { References, referencesOf } from '../../tenancy/references/references.service.js';
import { AttachmentsService } from './attachments/attachments.service.js';
import type { AttachToTask, ThisAttachment } from './attachments/attachment.dto.js';
import { checklistFrom } from './checklist.js';
import type { CommentOnTask, ListTaskComments } from './comments/comment.dto.js';
import { TaskComment } from './comments/comment.entity.js';
import { CommentsRepository } from './comments/comments.repository.js';
import type { CreateTask, UpdateTask } from './task-changes.dto.js';
import type { CountTasks, ListTasks, TaskCountsView } from './task-lists.dto.js';
import { RoomWork } from './room-work.service.js';
import { newTask, type Task } from './task.entity.js';
import { changeable, TaskRules } from './task-rules.service.js';
import {
  taskArchived,
  taskAssigned,
  taskCommented,
  taskCreated,
  type TaskEventData,
  taskFileAttached,
  taskFileRemoved,
  taskMoved,
  taskRestored,
  taskUpdated,
} from './tasks.events.js';
import { taskIsArchived, taskNotFound } from './tasks.errors.js';
import { TasksRepository } from './tasks.repository.js';
import { moves, type TaskMove } from './task-moves.js';

@Injectable()
export class TasksService {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly rules: TaskRules,
    private readonly properties: PropertiesService,
    private readonly roomWork: RoomWork,
    private readonly comments: CommentsRepository,
    private readonly attachments: AttachmentsService,
    private readonly references: References,
    private readonly events: EventsService,
  ) {}

  async create(caller: Caller, { checklist = [], externalRefs: refs, ...input }: CreateTask): Promise<Task> {
    const given = { ...input, checklist: checklistFrom(checklist) };
    const task = newTask(caller.orgId, { ...given, externalRefs: referencesOf(refs) });
    await this.references.name(caller, 'task', [{ id: task.id, refs }]);
    this.tasks.insertAtCommit(Object.assign(task, await this.rules.resolve(caller, task, given)));
    this.events.record(caller, taskCreated, task);
    return task;
  }

  async list(caller: Caller, input: ListTasks): Promise<Page<Task>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    await this.references.admit(caller, input);
    const page = await this.tasks.list(caller, input);
    page.items.forEach((task) => this.attachments.link(task));
    return page;
  }

  async count(caller: Caller, input: CountTasks): Promise<TaskCountsView> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.tasks.count(caller, input);
  }

  async get(caller: Caller, taskId: string): Promise<Task> {
    const task = await this.tasks.find(caller, taskId);
    if (!task) throw taskNotFound();
    return this.attachments.link(task);
  }

  async update(caller: Caller, { taskId, checklist, externalRefs: refs, ...input }: UpdateTask): Promise<Task> {
    if (input.unitId) await this.rules.keepUnit(caller, input.unitId);
    const task = await this.forChange(caller, taskId);
    const given: Partial<Task> = {
      ...input,
      ...(checklist && { checklist: checklistFrom(checklist, task.checklist) }),
    };
    const resolved = await this.rules.resolve(caller, { ...task, ...given }, given, task);
    const externalRefs = await this.references.merged(caller, 'task', task, refs);
    return await this.write(caller, task, { ...resolved, externalRefs }, taskUpdated);
  }

  /** Start, complete, cancel, reopen: the moves of task-moves.ts. */
  async move(caller: Caller, taskId: string, move: TaskMove): Promise<Task> {
    const rooms = await this.roomWork.lockFor(caller, [taskId]);
    const task = await this.forChange(caller, taskId);
    const moved = await this.write(caller, task, moves[move](task), taskMoved[move]);
    await this.roomWork.follow(caller, [moved], rooms);
    return moved;
  }

  async archive(caller: Caller, taskId: string): Promise<Task> {
    const task = await this.forChange(caller, taskId, { archived: true });
    return task.archivedAt
      ? task
      : await this.write(caller, task, { archivedAt: new Date().toISOString() }, taskArchived);
  }

  async restore(caller: Caller, taskId: string): Promise<Task> {
    const task = await this.forChange(caller, taskId, { archived: true });
    return task.archivedAt ? await this.write(caller, task, { archivedAt: null }, taskRestored) : task;
  }

  async assign(caller: Caller, taskId: string, assigneeIds: string[]): Promise<Task> {
    const task = await this.forChange(caller, taskId);
    const changes = await this.rules.resolve(caller, { ...task, assigneeIds }, { assigneeIds });
    return await this.write(caller, task, changes, taskAssigned);
  }

  async comment(caller: Caller, { taskId, text }: CommentOnTask): Promise<TaskComment> {
    const { propertyId, archivedAt } = await this.get(caller, taskId);
    if (archivedAt) throw taskIsArchived();
    const createdAt = new Date().toISOString();
    const { orgId, memberId } = caller;
    const comment = await this.comments.insert(
      Object.assign(new TaskComment(), { orgId, id: newId('comment'), taskId, memberId, text, createdAt }),
    );
    const data = { id: taskId, propertyId, commentId: comment.id, memberId, text, createdAt };
    this.events.record(caller, taskCommented, data);
    return comment;
  }

  async listComments(caller: Caller, input: ListTaskComments): Promise<Page<TaskComment>> {
    await this.get(caller, input.taskId);
    return await this.comments.list(caller.orgId, input);
  }

  async attach(caller: Caller, input: AttachToTask): Promise<Task> {
    const task = await this.forChange(caller, input.taskId);
    return await this.write(caller, task, { files: await this.attachments.add(caller, task, input) }, taskFileAttached);
  }

  async removeAttachment(caller: Caller, { taskId, fileId }: ThisAttachment): Promise<DeletionView> {
    const task = await this.forChange(caller, taskId, { archived: true });
    await this.write(caller, task, { files: this.attachments.remove(task, fileId) }, taskFileRemoved);
    return deletionOf(fileId);
  }

  private async forChange(caller: Caller, taskId: string, { archived = false } = {}): Promise<Task> {
    const [task] = await this.tasks.findForChange(caller, [taskId]);
    return changeable(caller, task, { archived });
  }

  private async write(
    caller: Caller,
    task: Task,
    changes: Partial<Task>,
    happened: ChangeType<TaskEventData>,
  ): Promise<Task> {
    const before = await this.tasks.update(task, merging(task, changes));
    this.events.record(caller, happened, task, before);
    return this.attachments.link(task);
  }
}
