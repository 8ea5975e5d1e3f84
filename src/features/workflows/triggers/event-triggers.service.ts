import { Injectable } from '@nestjs/common';
import { inFuture, Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import type { EventView } from '../../../platform/events/event.dto.js';
import { eventWork } from '../../../platform/events/event-work.js';
import { EventsRepository } from '../../../platform/events/events.repository.js';
import { everything } from '../../../platform/events/readable-events.js';
import { triggeringEvent } from '../facts.js';
import { stayOf } from '../runs/run-facts.service.js';
import { RunStarts, type Start } from '../runs/run-starts.service.js';
import { RunsRepository } from '../runs/runs.repository.js';
import type { EventTrigger } from '../trigger.dto.js';
import type { WorkflowVersion } from '../workflow.entity.js';
import { type ActiveWorkflow, WorkflowsRepository } from '../workflows.repository.js';
import { type DueFeed, FeedsRepository, soonestFeed } from './feeds.repository.js';
import { OccasionJudge } from './occasion-judge.service.js';

const eventsAtOnce = 100;
/** How soon the service looks again for events that an older transaction hides, which is still running. */
const hiddenRestMs = 200;
/** The longest chain of workflows that trigger each other. */
const longestChain = 5;

/**
 * Looks through events for those that start workflows. The position in the feed and the runs commit together, so an
 * event starts a workflow once, with any number of processes. The feed shows no event while an earlier one may still be
 * committed.
 */
@Injectable()
export class EventTriggers implements Work<DueFeed> {
  readonly name = eventWork.workflowEvents;
  readonly lane = schedules;
  readonly soonest = soonestFeed;

  constructor(
    private readonly feeds: FeedsRepository,
    private readonly events: EventsRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly runs: RunsRepository,
    private readonly judge: OccasionJudge,
    private readonly starts: RunStarts,
    private readonly database: TenantDatabase,
    private readonly jobs: Jobs,
  ) {
    jobs.take(this);
  }

  async due(): Promise<DueFeed[]> {
    const { due, hidden } = await this.feeds.due();
    if (hidden > 0) this.jobs.wake(this.name, inFuture(hiddenRestMs));
    return due;
  }

  async perform({ id: orgId }: DueFeed): Promise<void> {
    const feed = await this.feeds.find(orgId);
    if (!feed) return;
    const listening = await this.workflows.active(orgId, 'event');
    const types = [...new Set(listening.map(({ version }) => eventTypeOf(version)))];
    const { events, next } = await this.events.after(everything(orgId), { types }, feed.position, eventsAtOnce);
    const starts: Start[] = [];
    for (const event of events) starts.push(...(await this.startsBy(orgId, event, listening)));
    await this.database.transaction(orgId, async () => {
      if (listening.length === 0) return await this.feeds.drop(feed);
      const active = await this.workflows.lock(
        orgId,
        starts.map(({ workflow }) => workflow.id),
      );
      if (!(await this.feeds.advance(feed, next))) return;
      for (const start of starts) if (active.has(start.workflow.id)) await this.starts.start({ orgId }, start);
    });
  }

  private async startsBy(orgId: string, event: EventView, listening: readonly ActiveWorkflow[]): Promise<Start[]> {
    const chain = await this.chainOf(orgId, event);
    const starts: Start[] = [];
    for (const { workflow, version } of listening) {
      const isFor = eventTypeOf(version) === event.type && event.occurredAt >= (workflow.activatedAt as string);
      if (!isFor || chain.length >= longestChain || chain.includes(workflow.id)) continue;
      const start: Start = {
        workflow,
        workflowVersion: version.number,
        key: event.id,
        trigger: { kind: 'event', event },
        reservationId: stayOf({ kind: 'event', event }),
        propertyId: triggeringEvent(event.type)?.at(event.data),
        subjectId: event.subject.id,
        chain,
      };
      if (await this.judge.lets(start, version)) starts.push(start);
    }
    return starts;
  }

  /** The workflows that led to an event, the direct cause last. */
  private async chainOf(orgId: string, { actor }: EventView): Promise<string[]> {
    const { credential } = actor;
    const run = credential?.runId ? await this.runs.findAny(orgId, credential.runId) : undefined;
    return run ? [...run.chain, run.workflowId] : [];
  }
}

/** For a version with an event trigger. */
const eventTypeOf = ({ trigger }: WorkflowVersion): string => (trigger as EventTrigger).eventType;
