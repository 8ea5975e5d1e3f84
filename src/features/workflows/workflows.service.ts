import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { invalidInput } from '#errors';
import { merging, type Page } from '#operations';
import { isSameValue } from '#persistence';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import type { Beside } from '../../platform/events/happening.js';
import { Quotas } from '../../tenancy/quotas/quotas.service.js';
import { definitionOf } from './definition.js';
import { DefinitionWords } from './definition-words.service.js';
import { DefinitionChecks } from './definition-checks.service.js';
import { overIssues } from './definition-issues.js';
import type { WorkflowRun } from './runs/run.entity.js';
import { RunsService } from './runs/runs.service.js';
import { WebhookSteps } from './runs/webhook-steps.service.js';
import { StepSecrets } from './step-secrets.service.js';
import { nextTime } from './schedule.js';
import { FeedsRepository } from './triggers/feeds.repository.js';
import type {
  ActivateWorkflow,
  GetWorkflow,
  ListWorkflows,
  RunWorkflow,
  SaveWorkflow,
  UpdateWorkflow,
  VersionOrigin,
  WorkflowSecret,
  WorkflowSummary,
  WorkflowView,
} from './workflow.dto.js';
import { newWorkflow, versionOf, type Workflow, type WorkflowVersion } from './workflow.entity.js';
import { versionNotFound, workflowIsArchived, workflowIsNotActive, workflowNotFound } from './workflows.errors.js';
import {
  workflowActivated,
  workflowArchived,
  workflowCreated,
  workflowPaused,
  workflowUpdated,
} from './workflows.events.js';
import { WorkflowsRepository } from './workflows.repository.js';

/** A workflow with one of its versions. */
interface Shown {
  workflow: Workflow;
  shown: WorkflowVersion;
}

/** Workflows. Every change of the content is a new version, and activating selects the version that runs. */
@Injectable()
export class WorkflowsService {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly checks: DefinitionChecks,
    private readonly words: DefinitionWords,
    private readonly secrets: StepSecrets,
    private readonly feeds: FeedsRepository,
    private readonly runs: RunsService,
    private readonly webhooks: WebhookSteps,
    private readonly quotas: Quotas,
    private readonly events: EventsService,
  ) {}

  list({ orgId }: Caller, input: ListWorkflows): Promise<Page<Workflow>> {
    return this.workflows.list(orgId, input);
  }

  async get({ orgId }: Caller, { workflowId, workflowVersion }: GetWorkflow): Promise<WorkflowView> {
    return await this.viewOf(await this.find(orgId, workflowId, workflowVersion));
  }

  async save(caller: Caller, input: SaveWorkflow, origin: VersionOrigin = 'given'): Promise<WorkflowView> {
    const { name, description = null, metadata = {}, ...given } = input;
    const { trigger, conditions = null, steps, runAsMemberId = caller.memberId } = given;
    const definition = await this.checks.read(caller, { trigger, conditions, runAsMemberId }, steps);
    const workflow = newWorkflow(caller.orgId, { name, description, metadata, triggerKind: trigger.kind });
    const shown = versionOf(workflow, definition, caller.memberId, origin);
    await this.quotas.admit(caller, 'workflows');
    await this.workflows.insert(workflow, shown);
    this.events.record(caller, workflowCreated, workflow, null, this.words.ofChange(null, definition));
    return await this.viewOf({ workflow, shown });
  }

  async update(caller: Caller, input: UpdateWorkflow, origin: VersionOrigin = 'given'): Promise<WorkflowView> {
    const { workflowId, name, description, metadata, ...given } = input;
    const workflow = await this.changeable(caller, workflowId);
    const latest = await this.version(workflow, workflow.latestVersion);
    let shown = latest;
    const changes: Partial<Workflow> = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(metadata !== undefined && { metadata }),
    };
    const steps = given.steps && this.secrets.restore(given.steps, latest.steps);
    const wanted = { ...definitionOf(shown), ...given, ...(steps && { steps }) };
    if (!isSameValue(definitionOf(shown), wanted)) {
      const definition = await this.checks.read(caller, wanted, wanted.steps, shown.trigger);
      changes.latestVersion = workflow.latestVersion + 1;
      if (workflow.activeVersion === null) changes.triggerKind = definition.trigger.kind;
      shown = versionOf({ ...workflow, ...changes }, definition, caller.memberId, origin);
      await this.workflows.addVersion(shown);
    }
    const beside = shown === latest ? undefined : this.words.ofChange(latest, shown);
    return await this.write(caller, { workflow, shown }, changes, workflowUpdated, beside);
  }

  async activate(caller: Caller, { workflowId, workflowVersion }: ActivateWorkflow): Promise<WorkflowView> {
    const workflow = await this.changeable(caller, workflowId);
    const shown = await this.version(workflow, workflowVersion ?? workflow.latestVersion);
    const { trigger, createdAt, number } = shown;
    const now = new Date().toISOString();
    const next = trigger.kind === 'schedule' ? nextTime(trigger, createdAt, now) : undefined;
    const issues = await this.checks.activationIssues(caller.orgId, definitionOf(shown));
    issues.push(...overIssues(trigger, next));
    if (issues.length > 0) throw invalidInput(issues);
    if (trigger.kind === 'event') await this.feeds.follow(caller.orgId);
    const changes: Partial<Workflow> = {
      status: 'active',
      activeVersion: number,
      triggerKind: trigger.kind,
      activatedAt: now,
      pausedReason: null,
      nextOccurrenceAt: next ?? null,
    };
    const active = workflow.status === 'active' ? await this.version(workflow, workflow.activeVersion as number) : null;
    const beside = this.words.ofChange(active, shown);
    return await this.write(caller, { workflow, shown }, changes, workflowActivated, beside);
  }

  async pause(caller: Caller, workflowId: string): Promise<WorkflowView> {
    const workflow = await this.changeable(caller, workflowId);
    const shown = await this.version(workflow, workflow.activeVersion ?? workflow.latestVersion);
    if (workflow.status === 'paused') return await this.viewOf({ workflow, shown });
    if (workflow.status !== 'active') throw workflowIsNotActive(workflow.status);
    return await this.write(caller, { workflow, shown }, { status: 'paused', nextOccurrenceAt: null }, workflowPaused);
  }

  async archive(caller: Caller, workflowId: string): Promise<WorkflowView> {
    const workflow = await this.changeable(caller, workflowId, { archived: true });
    const shown = await this.version(workflow, workflow.latestVersion);
    if (workflow.status === 'archived') return await this.viewOf({ workflow, shown });
    const archived = { status: 'archived' as const, nextOccurrenceAt: null };
    const view = await this.write(caller, { workflow, shown }, archived, workflowArchived);
    await this.runs.cancelAll(caller, workflowId);
    return view;
  }

  async run(caller: Caller, input: RunWorkflow): Promise<WorkflowRun> {
    const workflow = await this.workflows.find(caller.orgId, input.workflowId, 'for share');
    if (!workflow) throw workflowNotFound();
    const { status, activeVersion } = workflow;
    if (status !== 'active') throw workflowIsNotActive(status);
    const version = await this.version(workflow, activeVersion as number);
    return await this.runs.startByHand(caller, { workflow, version }, input);
  }

  async secretOf({ orgId }: Caller, workflowId: string): Promise<WorkflowSecret> {
    await this.find(orgId, workflowId);
    return { secret: this.webhooks.secretOf(orgId, workflowId) };
  }

  /** A version of a workflow: the latest unless another one is given. */
  async find(orgId: string, workflowId: string, number?: number): Promise<Shown> {
    const workflow = await this.workflows.find(orgId, workflowId);
    if (!workflow) throw workflowNotFound();
    return { workflow, shown: await this.version(workflow, number ?? workflow.latestVersion) };
  }

  /**
   * A workflow, locked until the transaction ends.
   *
   * @param archived whether an archived one is accepted.
   * @throws not_found_error, authorization_error, conflict_error if the caller cannot change it.
   */
  async changeable(caller: Caller, workflowId: string, { archived = false } = {}): Promise<Workflow> {
    const workflow = await this.workflows.find(caller.orgId, workflowId, 'for no key update');
    if (!workflow) throw workflowNotFound();
    expectVersion(caller, workflow);
    if (workflow.status === 'archived' && !archived) throw workflowIsArchived();
    return workflow;
  }

  private async write(
    caller: Caller,
    { workflow, shown }: Shown,
    changes: Partial<Workflow>,
    happened: ChangeType<WorkflowSummary>,
    beside?: Beside,
  ): Promise<WorkflowView> {
    const before = await this.workflows.update(workflow, merging(workflow, changes));
    this.events.record(caller, happened, workflow, before, beside);
    return await this.viewOf({ workflow, shown });
  }

  private async version({ orgId, id }: Workflow, number: number): Promise<WorkflowVersion> {
    const version = await this.workflows.findVersion(orgId, id, number);
    if (!version) throw versionNotFound();
    return version;
  }

  private async viewOf({ workflow, shown }: Shown): Promise<WorkflowView> {
    const definition = definitionOf(shown);
    const steps = this.secrets.mask(definition.steps);
    const versions = await this.workflows.listVersions(workflow.orgId, workflow.id);
    const summary = this.words.summaryOf(definition);
    return { ...workflow, ...definition, steps, workflowVersion: shown.number, summary, versions };
  }
}
