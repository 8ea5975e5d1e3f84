import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import { invalidInput, type Issue, ServiceError } from '#errors';
import { readInput } from '#operations';
import { heavyWork, Threads } from '#threads';
import type { Drafting } from '../../../outside/models/drafting.js';
import { type JobKind, ModelJobKinds } from '../../../outside/models/job-kind.js';
import type { ModelJob } from '../../../outside/models/model-job.entity.js';
import { ModelJobsService } from '../../../outside/models/model-jobs.service.js';
import { type Definition, definitionOf } from '../definition.js';
import { DefinitionChecks } from '../definition-checks.service.js';
import { readSteps } from '../definition-reader.js';
import { triggeringEvents } from '../facts.js';
import { KnownRecordsRepository } from '../known-records.repository.js';
import { permissionOfKind, StepCatalogue } from '../step-catalogue.js';
import { StepSecrets } from '../step-secrets.service.js';
import { SaveWorkflow, type WorkflowView } from '../workflow.dto.js';
import { nothingIsPermitted, workflowChangedMeanwhile } from '../workflows.errors.js';
import { WorkflowsService } from '../workflows.service.js';
import { type Material, rulesFor, type Written, writtenSchema } from './assignment.js';
import { addressesIn, addressesOf, type Offer, offered, type Plan, planOf, planRules, planSchema } from './plan.js';
import type { differences } from './definition-diff.js';
import { prefixesOf } from './step-schemas.js';
import type { GenerateWorkflow, ModifyWorkflow } from './writing.dto.js';
import { generateWorkflow, modifyWorkflow } from './writing.operations.js';

/** The version to change, with its content. */
interface Revision {
  base: number;
  before: Definition;
  draft: Written;
}

/** What is to be written. */
interface Assignment {
  instruction: string;
  context?: string;
  runAsMemberId: string;
  before?: Definition;
}

/**
 * Has a model write workflows and new versions of them. None runs before somebody activates it. The steps are chosen
 * from the instruction only; after that, the model sees names, other people's texts and the existing definition.
 */
@Injectable()
export class WorkflowWriter {
  private readonly creation: JobKind<GenerateWorkflow, Written> = {
    operation: generateWorkflow,
    make: (caller, { runAsMemberId = caller.memberId, ...input }, drafting) =>
      this.draft(caller, drafting, { ...input, runAsMemberId }),
    save: async (caller, { name, runAsMemberId }, draft) => {
      const given = { ...draft, name: name ?? draft.name, ...(runAsMemberId && { runAsMemberId }) };
      return await this.resultOf(caller, await this.workflows.save(caller, given, 'model'));
    },
  };

  private readonly modification: JobKind<ModifyWorkflow, Revision> = {
    operation: modifyWorkflow,
    make: (caller, input, drafting) => this.revise(caller, input, drafting),
    save: async (caller, { workflowId }, { base, before, draft: { name: _, ...draft } }) => {
      const { latestVersion } = await this.workflows.changeable(caller, workflowId);
      if (latestVersion !== base) throw workflowChangedMeanwhile();
      const workflow = await this.workflows.update(caller, { workflowId, ...draft }, 'model');
      const after = definitionOf(workflow as Definition);
      const diff = await this.threads.run(comparing, caller.orgId, before, after);
      return { ...(await this.resultOf(caller, workflow)), diff };
    },
  };

  constructor(
    kinds: ModelJobKinds,
    private readonly jobs: ModelJobsService,
    private readonly workflows: WorkflowsService,
    private readonly checks: DefinitionChecks,
    private readonly records: KnownRecordsRepository,
    private readonly steps: StepCatalogue,
    private readonly secrets: StepSecrets,
    private readonly threads: Threads,
  ) {
    kinds.register(this.creation);
    kinds.register(this.modification);
  }

  async create(caller: Caller, input: GenerateWorkflow): Promise<ModelJob> {
    // Reported now rather than by a job that fails later.
    const issues = input.runAsMemberId ? await this.checks.memberIssues(caller, input.runAsMemberId) : [];
    if (issues.length > 0) throw invalidInput(issues);
    return await this.jobs.request(caller, this.creation, input);
  }

  async modify(caller: Caller, input: ModifyWorkflow): Promise<ModelJob> {
    await this.workflows.changeable(caller, input.workflowId);
    return await this.jobs.request(caller, this.modification, input);
  }

  private async revise(
    caller: Caller,
    { workflowId, instruction, context }: ModifyWorkflow,
    drafting: Drafting,
  ): Promise<Revision> {
    const { shown } = await this.workflows.find(caller.orgId, workflowId);
    const before = definitionOf(shown);
    const { runAsMemberId } = before;
    const draft = await this.draft(caller, drafting, { instruction, context, runAsMemberId, before });
    return { base: shown.number, before: this.masked(before), draft };
  }

  private async draft(caller: Caller, drafting: Drafting, assignment: Assignment): Promise<Written> {
    const { instruction, context, before } = assignment;
    const plan = await this.plan(caller, drafting, assignment);
    const addresses = addressesFor(assignment);
    const operations = plan.does.flatMap((name) => this.steps.find(name)?.operation ?? []);
    const choices = await this.records.choices(caller.orgId, prefixesOf(operations, plan));
    const material: Material = { plan, operations, choices, addresses };
    return await drafting.draft<Written>({
      system: rulesFor(material),
      instruction,
      data: { ...choices, ...(context && { context }), ...(before && { workflow: this.masked(before) }) },
      schema: writtenSchema(material),
      check: (draft) => this.issuesOf(caller, draft, assignment),
    });
  }

  /** The building blocks: those that the instruction asks for, and those already in use. */
  private async plan(caller: Caller, drafting: Drafting, assignment: Assignment): Promise<Plan> {
    const { instruction, before } = assignment;
    const { template = [] } = await this.records.choices(caller.orgId, ['template']);
    const offer: Offer = {
      eventTypes: triggeringEvents().map(({ name }) => name),
      operations: this.steps
        .operations()
        .filter(({ scope = '' }) => may(caller, scope))
        .map(({ name }) => name),
      addresses: may(caller, permissionOfKind.webhook) ? addressesFor(assignment) : [],
      hasTemplates: template.length > 0 && may(caller, permissionOfKind.send_email),
    };
    if (offered(offer).length === 0) throw nothingIsPermitted();
    const used = before && planOf(before.trigger, before.steps);
    // Only the kinds are taken from the existing definition, because its names and texts may come from anybody.
    const system = used ? `${planRules}\nIt is changed. It is made of: ${JSON.stringify(used)}` : planRules;
    const plan = await drafting.draft<Plan>({ system, instruction, schema: planSchema(offer) });
    return used ? { ...plan, does: [...new Set([...plan.does, ...used.does])] } : plan;
  }

  private async issuesOf(
    caller: Caller,
    { name, ...written }: Written,
    { runAsMemberId, before }: Assignment,
  ): Promise<Issue[]> {
    try {
      const { trigger, conditions = null, steps: given } = readInput(SaveWorkflow, { name, ...written });
      const issues: Issue[] = [];
      const steps = readSteps(this.secrets.restore(given, before?.steps ?? []), issues);
      const definition = { trigger, conditions, steps, runAsMemberId };
      return issues.length > 0 ? issues : await this.checks.issuesFor(caller, definition, before?.trigger);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return (error.details.issues as Issue[] | undefined) ?? [{ path: [], message: error.message }];
    }
  }

  private masked(definition: Definition): Definition {
    return { ...definition, steps: this.secrets.mask(definition.steps) };
  }

  private async resultOf({ orgId }: Caller, workflow: WorkflowView): Promise<Record<string, unknown>> {
    const { shown } = await this.workflows.find(orgId, workflow.id, workflow.workflowVersion);
    const obstacles = await this.checks.activationIssues(orgId, shown);
    return {
      workflowId: workflow.id,
      workflowVersion: workflow.workflowVersion,
      draft: { name: workflow.name, ...definitionOf(workflow as Definition) },
      summary: workflow.summary,
      warnings: obstacles.map(({ path, message }) => `${path.join('.')}: ${message}`),
    };
  }
}

const addressesFor = ({ instruction, before }: Assignment): string[] => [
  ...new Set([...addressesIn(instruction), ...(before ? addressesOf(before.steps) : [])]),
];

const comparing = heavyWork<typeof differences>({
  kind: 'diff',
  module: import.meta.resolve('./definition-diff.js'),
  run: 'differences',
  withinMs: 2_000,
});
