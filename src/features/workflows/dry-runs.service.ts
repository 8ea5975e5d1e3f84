import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import { EventsRepository, feedStart } from '../../platform/events/events.repository.js';
import { refuseUnreadable } from '../../platform/events/readable-events.js';
import { judge } from './conditions.js';
import type { Step } from './definition.js';
import { filledIn, type Facts } from './references.js';
import { type RunTrigger } from './runs/run.entity.js';
import { RunFactsService, stayOf } from './runs/run-facts.service.js';
import { momentOf } from './facts.js';
import { ScheduleWork } from './schedule-work.service.js';
import { StepCatalogue } from './step-catalogue.js';
import { StepSecrets } from './step-secrets.service.js';
import { stepInWords } from './summary.js';
import { StayFactsRepository } from './stay-facts.repository.js';
import type { TestWorkflow, TriedStep, WorkflowTestView, WorkflowTrial } from './dry-run.dto.js';
import type { Workflow, WorkflowVersion } from './workflow.entity.js';
import { eventsAreNotYours } from './workflows.errors.js';
import { WorkflowsService } from './workflows.service.js';

/** A past occasion that could have started a run. */
interface Past {
  trigger: string;
  occurredAt: string;
  had: RunTrigger;
  reservationId: string | null;
  reason: string | null;
}

const defaultDays = 7;
const dayMs = 86_400_000;
const mostExamined = 1_000;
const mostShown = 50;
const pageSize = 100;
/** After this many, other work gets its turn. */
const triedAtOnce = 20;

/** Tries workflows on past occasions: shows what they would have done, without side effects. */
@Injectable()
export class DryRuns {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly events: EventsRepository,
    private readonly stays: StayFactsRepository,
    private readonly facts: RunFactsService,
    private readonly steps: StepCatalogue,
    private readonly secrets: StepSecrets,
    private readonly schedules: ScheduleWork,
  ) {}

  async tryOut(
    caller: Caller,
    { workflowId, workflowVersion, days = defaultDays }: TestWorkflow,
  ): Promise<WorkflowTestView> {
    if (!may(caller, 'events:read') || !may(caller, 'reservations:read')) throw eventsAreNotYours();
    const { workflow, shown } = await this.workflows.find(caller.orgId, workflowId, workflowVersion);
    const from = new Date(Date.now() - days * dayMs).toISOString();
    const past = await this.pastOf(caller, workflow, shown, from);
    const tried = { ...shown, steps: this.secrets.mask(shown.steps) };
    const trials: WorkflowTrial[] = [];
    for (const [index, one] of past.entries()) {
      if (index % triedAtOnce === 0) await nextTurn();
      trials.push(await this.trial(caller, workflow, tried, one));
    }
    return {
      workflowId,
      workflowVersion: shown.number,
      from,
      examined: past.length,
      triggered: trials.filter(({ runs }) => runs).length,
      trials: trials.reverse().slice(0, mostShown),
    };
  }

  /** The occasions that could have started a run, oldest first. */
  private async pastOf(
    caller: Caller,
    workflow: Workflow,
    { trigger, createdAt }: WorkflowVersion,
    from: string,
  ): Promise<Past[]> {
    const now = new Date().toISOString();
    if (trigger.kind === 'event') refuseUnreadable(caller, [trigger.eventType]);
    if (trigger.kind === 'event') return await this.pastEvents(caller, workflow, trigger.eventType, from);
    if (trigger.kind === 'reservation_relative') {
      const { moment, offsetMinutes } = trigger;
      const stays = await this.stays.around(caller, { moment, offsetMinutes, from, until: now }, mostExamined);
      return stays.map((stay) => ({
        trigger: stay.id,
        occurredAt: momentOf(stay, moment, offsetMinutes),
        had: { kind: trigger.kind },
        reservationId: stay.id,
        reason: null,
      }));
    }
    if (trigger.kind === 'manual') return [];
    // Schedules come once a day at most.
    const times = await this.schedules.timesBetween(caller.orgId, trigger, createdAt, from, now);
    return times.map((at) => {
      const had = { kind: 'schedule' as const, occursAt: at };
      return { trigger: at, occurredAt: at, had, reservationId: null, reason: null };
    });
  }

  private async pastEvents(caller: Caller, workflow: Workflow, type: string, since: string): Promise<Past[]> {
    const past: Past[] = [];
    for (let from = feedStart; past.length < mostExamined;) {
      const { events, next } = await this.events.after(caller, { types: [type], since }, from, pageSize);
      for (const event of events) {
        const had = { kind: 'event' as const, event };
        const isOwn = event.actor.credential?.id === workflow.id;
        const reason = isOwn ? 'The workflow itself caused it.' : null;
        past.push({ trigger: event.id, occurredAt: event.occurredAt, had, reservationId: stayOf(had), reason });
      }
      if (events.length < pageSize) break;
      from = next;
    }
    return past;
  }

  private async trial(
    caller: Caller,
    workflow: Workflow,
    version: WorkflowVersion,
    past: Past,
  ): Promise<WorkflowTrial> {
    const { trigger, occurredAt, had, reservationId } = past;
    const { orgId, propertyIds } = caller;
    const occasion = { workflow, trigger: version.trigger, had, reservationId, propertyIds };
    const facts = await this.facts.of(orgId, occasion);
    const { holds, rules } = judge(version.conditions, facts);
    const reason = past.reason ?? (holds ? null : 'Its conditions did not match.');
    return {
      trigger,
      occurredAt,
      runs: reason === null,
      reason,
      conditions: rules.map(({ field, operator, value, actual, holds: isMet }) => {
        return { field, compared: { actual, operator, value }, holds: isMet };
      }),
      steps: reason === null ? this.stepsOf(version.steps, facts) : [],
    };
  }

  /** The steps that would have run, with branches chosen by the facts. */
  private stepsOf(steps: readonly Step[], facts: Facts): TriedStep[] {
    const made: Record<string, object> = {};
    const known = { ...facts, run: { id: 'run_…' }, steps: made };
    return steps.flatMap((step) => {
      const says = stepInWords(step, (name) => this.steps.titleOf(name));
      const tried = { id: step.id, kind: step.kind, says };
      made[step.id] = { id: `(result of ${step.id})` };
      if (step.kind === 'operation') return [{ ...tried, input: filledIn(step.input ?? {}, known) as object }];
      if (step.kind === 'webhook') return [{ ...tried, input: filledIn(step.payload ?? {}, known) as object }];
      if (step.kind !== 'branch') return [tried];
      const taken = judge(step.conditions, known).holds ? step.steps : (step.otherwise ?? []);
      return [tried, ...this.stepsOf(taken, known)];
    });
  }
}
