import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import type { Page } from '#operations';
import { newId } from '#persistence';
import { MembersRepository } from '../organizations/members.repository.js';
import { PropertiesService } from '../organizations/properties.service.js';
import { checklistFrom, openRequiredItems } from './checklist.js';
import type { CreateTask, ListTasks, TaskStatus, UpdateTask } from './task.dto.js';
import { Task } from './task.entity.js';
import {
  assigneeCannotSeeProperty,
  assigneeUnknown,
  checklistIncomplete,
  dueBeforeStart,
  propertyMustBeNamed,
  taskIsNotOpen,
  taskNotFound,
} from './tasks.errors.js';
import { TasksRepository } from './tasks.repository.js';

const isOpen = (status: TaskStatus): boolean => status === 'pending' || status === 'in_progress';

@Injectable()
export class TasksService {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly properties: PropertiesService,
    private readonly members: MembersRepository,
  ) {}

  async create(caller: Caller, { checklist = [], ...input }: CreateTask): Promise<Task> {
    const now = new Date().toISOString();
    const task = Object.assign(new Task(), {
      description: null,
      type: 'other' as const,
      priority: 'normal' as const,
      propertyId: null,
      assigneeIds: [],
      canStartAt: null,
      dueAt: null,
      durationMinutes: null,
      metadata: {},
      externalRefs: [],
      ...input,
      ...inUtc(input),
      checklist: checklistFrom(checklist),
      orgId: caller.orgId,
      id: newId('task'),
      status: 'pending' as const,
      source: 'manual' as const,
      completedAt: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    await this.check(caller, task, task);
    return this.tasks.insert(task);
  }

  async list(caller: Caller, input: ListTasks): Promise<Page<Task>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.tasks.list(caller, input);
  }

  async get(caller: Caller, taskId: string): Promise<Task> {
    const task = await this.tasks.find(caller, taskId);
    if (!task) throw taskNotFound();
    return task;
  }

  async update(caller: Caller, { taskId, checklist, ...input }: UpdateTask): Promise<Task> {
    const task = await this.forChange(caller, taskId);
    const changes: Partial<Task> = {
      ...input,
      ...inUtc(input),
      ...(checklist && { checklist: checklistFrom(checklist, task.checklist) }),
    };
    await this.check(caller, { ...task, ...changes }, changes);
    return await this.tasks.update(task, changes);
  }

  async complete(caller: Caller, taskId: string): Promise<Task> {
    const task = await this.forChange(caller, taskId);
    if (!isOpen(task.status)) throw taskIsNotOpen(task.status);
    const open = openRequiredItems(task.checklist);
    if (open.length > 0) throw checklistIncomplete(open);
    return await this.tasks.update(task, { status: 'completed', completedAt: new Date().toISOString() });
  }

  private async forChange(caller: Caller, taskId: string): Promise<Task> {
    const task = await this.tasks.findForChange(caller, taskId);
    if (!task) throw taskNotFound();
    expectVersion(caller, task);
    return task;
  }

  /** The rules that hold between fields, and what the changed ones refer to. */
  private async check(caller: Caller, task: Task, changes: Partial<Task>): Promise<void> {
    if (task.canStartAt && task.dueAt && task.dueAt < task.canStartAt) throw dueBeforeStart();
    if (caller.propertyIds && !task.propertyId) throw propertyMustBeNamed();
    if (changes.propertyId) await this.properties.get(caller, changes.propertyId);
    if (changes.assigneeIds || changes.propertyId) await this.checkAssignees(task);
  }

  private async checkAssignees({ orgId, assigneeIds, propertyId }: Task): Promise<void> {
    if (assigneeIds.length === 0) return;
    const members = await this.members.findMany(orgId, assigneeIds);
    const active = members.filter(({ status }) => status === 'active');
    if (active.length < assigneeIds.length) throw assigneeUnknown();
    const sees = (allowed: string[] | null) => !propertyId || !allowed || allowed.includes(propertyId);
    if (!active.every(({ propertyIds }) => sees(propertyIds))) throw assigneeCannotSeeProperty();
  }
}

/** Times are kept, compared and answered in UTC with milliseconds, whatever offset they came with. */
function inUtc({
  canStartAt,
  dueAt,
}: Pick<CreateTask, 'canStartAt' | 'dueAt'>): Pick<CreateTask, 'canStartAt' | 'dueAt'> {
  const utc = (time: string | null | undefined) => time && new Date(time).toISOString();
  return {
    ...(canStartAt !== undefined && { canStartAt: utc(canStartAt) }),
    ...(dueAt !== undefined && { dueAt: utc(dueAt) }),
  };
}
