import { Controller, Inject, Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles, Id, Text } from '#operations';
import { type JobKind, ModelJobKinds } from '../../src/outside/models/job-kind.js';
import type { Drafting } from '../../src/outside/models/drafting.js';
import { modelBacked } from '../../src/outside/models/model-jobs.operations.js';
import { ModelJobsService } from '../../src/outside/models/model-jobs.service.js';
import { ModelsModule } from '../../src/outside/models/models.module.js';
import { TasksModule } from '../../src/features/tasks/tasks.module.js';
import { TasksService } from '../../src/features/tasks/tasks.service.js';

class DraftTask {
  @Text({ description: 'What is wanted.', max: 2_000 }) instruction: string;
  @Text({ description: 'What a guest wrote.', max: 2_000, optional: true }) note?: string;
  @Id('property', { description: 'Where.', optional: true }) propertyId?: string;
}

const draftTask = modelBacked({
  name: 'draft_task',
  route: 'POST /tasks/draft',
  scope: 'guides:write',
  reach: 'property',
  title: 'Draft a task',
  description: 'A sample of what features do with a language model.',
  input: DraftTask,
});

interface Draft {
  name: string;
  priority: string;
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    priority: { type: 'string', enum: ['low', 'normal', 'high'] },
  },
  required: ['name', 'priority'],
  additionalProperties: false,
};

/** The sample saves a task, so that a test can count what was saved. */
@Injectable()
class SampleDrafts implements JobKind<DraftTask, Draft> {
  readonly operation = draftTask;

  constructor(
    @Inject(ModelJobKinds) kinds: ModelJobKinds,
    @Inject(TasksService) private readonly tasks: TasksService,
  ) {
    kinds.register(this);
  }

  make(_caller: Caller, { instruction, note }: DraftTask, drafting: Drafting): Promise<Draft> {
    return drafting.draft<Draft>({
      system: 'You write tasks.',
      instruction,
      data: note === undefined ? undefined : { note },
      schema,
      check: ({ name }) => (/https?:/.test(name) ? [{ path: ['name'], message: 'A name has no address in it.' }] : []),
    });
  }

  async save(caller: Caller, { propertyId }: DraftTask, { name }: Draft): Promise<Record<string, unknown>> {
    const task = await this.tasks.create(caller, { name, ...(propertyId && { propertyId }) });
    return { taskId: task.id };
  }
}

@Controller()
class SampleDraftsController {
  constructor(
    @Inject(ModelJobsService) private readonly jobs: ModelJobsService,
    @Inject(SampleDrafts) private readonly drafts: SampleDrafts,
  ) {}

  @Handles(draftTask) draft(caller: Caller, input: DraftTask) {
    return this.jobs.request(caller, this.drafts, input, input.propertyId ?? null);
  }
}

const planted = { imports: TasksModule, controllers: SampleDraftsController, providers: SampleDrafts };

/** Starts a service that has the sample; others that are started later do not have it. */
export async function withSampleDrafts<T>(start: () => Promise<T>): Promise<T> {
  const given = Object.entries(planted).map(([name, one]) => {
    const before = Reflect.getMetadata(name, ModelsModule) as object[];
    Reflect.defineMetadata(name, [...before, one], ModelsModule);
    return [name, before] as const;
  });
  try {
    return await start();
  } finally {
    for (const [name, before] of given) Reflect.defineMetadata(name, before, ModelsModule);
  }
}
