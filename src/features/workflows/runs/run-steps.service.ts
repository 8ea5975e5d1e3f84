import { Injectable } from '@nestjs/common';
import type { Caller, WorkflowCredential } from '#access';
import { ServiceError } from '#errors';
import type { Claim } from '#jobs';
import { mayReadEvent, scopeOfEvent } from '../../../platform/events/readable-events.js';
import { MessagesService } from '../../../outside/messages/messages.service.js';
import { ActingMembersRepository } from '../../../tenancy/members/acting-members.repository.js';
import { judge } from '../conditions.js';
import type { Step, StepOf } from '../definition.js';
import type { StayFacts } from '../facts.js';
import { type Facts, filledIn } from '../references.js';
import { StepCatalogue } from '../step-catalogue.js';
import { StepSecrets } from '../step-secrets.service.js';
import { WorkflowsRepository } from '../workflows.repository.js';
import { inFlightOf, lostTrackOf } from './earlier-attempts.js';
import { entryOf, nextStep } from './next-step.js';
import { OperationSteps } from './operation-steps.service.js';
import { callerOf } from './run-caller.js';
import type { RunStep, WorkflowRun } from './run.entity.js';
import { RunFactsService, withRun } from './run-facts.service.js';
import { RunProgress } from './run-progress.service.js';
import { RunsRepository } from './runs.repository.js';
import { failedBy, failedWith, type Failure, type StepOutcome } from './step-outcome.js';
import { waitOf } from './waiting.js';
import { WebhookSteps } from './webhook-steps.service.js';

/** One step of a claimed run, with the current facts and permissions. */
interface Turn<S extends Step = Step> {
  claim: Claim;
  run: WorkflowRun;
  step: S;
  entry: RunStep | undefined;
  facts: Facts;
  caller: Caller<WorkflowCredential>;
}

/** Performs steps. The member that a run acts as, and that member's permissions, are looked up for every step. */
@Injectable()
export class RunSteps {
  constructor(
    private readonly runs: RunsRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly members: ActingMembersRepository,
    private readonly factsService: RunFactsService,
    private readonly catalogue: StepCatalogue,
    private readonly secrets: StepSecrets,
    private readonly operations: OperationSteps,
    private readonly webhooks: WebhookSteps,
    private readonly messages: MessagesService,
    private readonly progress: RunProgress,
  ) {}

  /** @returns whether the run continues immediately. */
  async advance(claim: Claim): Promise<boolean> {
    const run = await this.runs.ofClaim(claim);
    if (!run) return false;
    const [workflow, version] = await Promise.all([
      this.workflows.find(run.orgId, run.workflowId),
      this.workflows.findVersion(run.orgId, run.workflowId, run.workflowVersion),
    ]);
    if (!workflow || !version) throw new Error(`The workflow of ${run.id} is gone`);
    const step = nextStep(version.steps, run.steps);
    if (!step) return await this.progress.end(claim);
    const member = await this.members.find(run.orgId, version.runAsMemberId);
    const caller = callerOf(run, step.id, version.runAsMemberId, member);
    const { trigger } = version;
    const occasion = { workflow, trigger, had: run.trigger, reservationId: run.reservationId };
    const facts = await this.factsService.of(run.orgId, { ...occasion, propertyIds: caller.propertyIds });
    const entry = entryOf(step, run.steps);
    return await this.take({ claim, run, step, entry, facts: withRun(facts, run), caller });
  }

  private async take({ step, ...turn }: Turn): Promise<boolean> {
    const refused = unreadableFor(turn);
    if (refused) return await this.progress.fail(turn.claim, step, refused);
    switch (step.kind) {
      case 'branch':
        return await this.progress.finish(turn.claim, step, () => ({
          held: judge(step.conditions, turn.facts).holds,
        }));
      case 'wait':
        return await this.wait({ ...turn, step });
      case 'send_email':
        return await this.send({ ...turn, step });
      case 'operation':
      case 'webhook':
        return await this.callOut({ ...turn, step });
    }
  }

  private async wait({ claim, step, entry, facts }: Turn<StepOf<'wait'>>): Promise<boolean> {
    const now = new Date().toISOString();
    const wait = waitOf(step, entry?.startedAt ?? now, facts.reservation as StayFacts | undefined);
    if (!wait) return await this.progress.fail(claim, step, failedWith('NOT_FOUND', 'The stay was not found.', false));
    if (wait.dueAt <= now) return await this.progress.finish(claim, step, () => ({}));
    return await this.progress.wait(claim, step, wait);
  }

  /** The message and the record of it commit together. */
  private async send(turn: Turn<StepOf<'send_email'>>): Promise<boolean> {
    const { claim, run, step, caller } = turn;
    const refused = this.refusalOf(turn) ?? noGuest(turn);
    if (refused) return await this.progress.fail(claim, step, refused);
    const { templateId } = step;
    const sending = {
      templateId,
      to: recipientOf(turn),
      reservationId: run.reservationId ?? undefined,
      dedupeKey: keyOf(run, step),
    };
    try {
      return await this.progress.finish(claim, step, async () => ({
        id: (await this.messages.send(caller, sending)).id,
      }));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return await this.progress.fail(claim, step, failedBy(error));
    }
  }

  /** Work outside the run's transactions is recorded before and after. */
  private async callOut(turn: Turn<StepOf<'operation' | 'webhook'>>): Promise<boolean> {
    const { claim, run, step, entry, facts } = turn;
    const begunBefore = inFlightOf(entry);
    if (step.kind === 'operation' && begunBefore)
      return await this.note(turn, await this.operations.look(claim.orgId, step.operation, begunBefore));
    const refused = this.refusalOf(turn) ?? lostTrackOf(entry);
    if (refused) return await this.progress.fail(claim, step, refused);
    const begun = await this.progress.begin(claim, step, this.notedInput(run, step, facts));
    return begun !== undefined && (await this.note(turn, await this.perform(turn, begun)));
  }

  private note({ claim, step }: Turn, outcome: StepOutcome): Promise<boolean> {
    switch (outcome.outcome) {
      case 'failed':
        return this.progress.fail(claim, step, outcome);
      case 'in flight':
        return this.progress.follow(claim, step, outcome);
      case 'done':
        return this.progress.finish(claim, step, () => outcome.result);
    }
  }

  private perform({ run, step, caller }: Turn<StepOf<'operation' | 'webhook'>>, begun: RunStep): Promise<StepOutcome> {
    const { input = {}, round } = begun;
    if (step.kind === 'operation') {
      const opened = this.secrets.openInput(step.operation, input, run);
      return this.operations.perform(caller, step.operation, opened, `${keyOf(run, step)}:${round}`);
    }
    const { orgId, workflowId } = run;
    const data = { workflowId, runId: run.id, stepId: step.id, ...input };
    return this.webhooks.send({ orgId, workflowId, id: `${run.id}.${step.id}`, url: step.url, data });
  }

  /** The input of every attempt, as it is stored: the secrets of an operation are sealed. */
  private notedInput(run: WorkflowRun, step: StepOf<'operation' | 'webhook'>, facts: Facts): Record<string, unknown> {
    if (step.kind === 'webhook') return bodyOf(step, facts);
    const input = filledIn(step.input ?? {}, facts) as Record<string, unknown>;
    return this.secrets.sealInput(step.operation, input, run);
  }

  /** Operations check their own permissions; the other steps are checked here. */
  private refusalOf({ step, caller }: Turn): Failure | undefined {
    if (step.kind === 'operation') return undefined;
    if (caller.secondFactorMissing)
      return failedWith('TWO_FACTOR_REQUIRED', 'The member that the workflow runs as has no second factor.', false);
    const permission = this.catalogue.permissionFor(step) as string;
    if (caller.permissions.has(permission)) return undefined;
    return failedWith('FORBIDDEN', `The member that the workflow runs as does not have ${permission}.`, false);
  }
}

const keyOf = ({ id }: WorkflowRun, step: Step): string => `${id}:${step.id}`;

function bodyOf(step: StepOf<'webhook'>, facts: Facts): Record<string, unknown> {
  const { event, reservation, schedule } = facts;
  return step.payload ? { payload: filledIn(step.payload, facts) } : { event, reservation, schedule };
}

const guestOf = ({ facts }: Turn): string | null | undefined => (facts.reservation as StayFacts | undefined)?.guestId;

const noGuest = (turn: Turn<StepOf<'send_email'>>): Failure | undefined =>
  turn.step.to === 'guest' && !guestOf(turn)
    ? failedWith('NO_GUEST', 'The stay has no guest to write to.', false)
    : undefined;

const recipientOf = (turn: Turn<StepOf<'send_email'>>) =>
  turn.step.to === 'guest' ? { guestId: guestOf(turn) as string } : { memberId: turn.step.memberId as string };

/** The event's content goes into inputs and conditions, so the member must still be permitted to read it. */
function unreadableFor({ run, caller }: Omit<Turn, 'step'>): Failure | undefined {
  const { event } = run.trigger;
  if (!event || mayReadEvent(event, caller.permissions)) return undefined;
  const permission = scopeOfEvent(event.type, event.data) ?? 'the permission';
  const message = `The member that the workflow runs as does not have ${permission}, which reading ${event.type} needs.`;
  return failedWith('FORBIDDEN', message, false);
}
