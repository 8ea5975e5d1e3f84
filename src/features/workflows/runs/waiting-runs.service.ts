import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Originator } from '../../../platform/events/originator.js';
import { isCalledOff, type Stay } from '../../../tenancy/stays/stay.js';
import type { StayChange, StayFollower } from '../../../tenancy/followers/followers.js';
import type { WorkflowRun } from './run.entity.js';
import { runCancelled } from './runs.events.js';
import { RunsRepository } from './runs.repository.js';
import { momentOf } from '../facts.js';

/** Runs that wait for a stay: they follow it when it moves, and end when it is cancelled, in the same transaction. */
@Injectable()
export class WaitingRuns implements StayFollower {
  constructor(
    private readonly runs: RunsRepository,
    private readonly events: EventsService,
  ) {}

  lockFor({ orgId }: Caller, changes: readonly StayChange[]): Promise<unknown> {
    const stayIds = changes.map(({ stay }) => stay.id);
    return this.runs.openOfStays(orgId, stayIds);
  }

  async cancel(by: Originator, run: WorkflowRun): Promise<WorkflowRun> {
    const before = await this.runs.update(run, {
      status: 'cancelled',
      dueAt: null,
      finishedAt: new Date().toISOString(),
    });
    this.events.record(by, runCancelled, run, before);
    return run;
  }

  async followStays(caller: Caller, changes: readonly StayChange[]): Promise<void> {
    const others = changes.filter(({ stay, before }) => before && !isAsItWas(stay, before));
    const stays = new Map(others.map(({ stay }) => [stay.id, stay]));
    if (stays.size === 0) return;
    const waiting: { row: WorkflowRun; changes: Partial<WorkflowRun> }[] = [];
    for (const run of await this.runs.openOfStays(caller.orgId, [...stays.keys()])) {
      const stay = stays.get(run.reservationId as string) as Stay;
      const hangsOnStay = run.waitsFor !== null || run.trigger.kind === 'reservation_relative';
      if (isCalledOff(stay)) {
        if (hangsOnStay) await this.cancel(caller, run);
      } else if (run.waitsFor) waiting.push({ row: run, changes: waitOf(run, stay) });
    }
    await this.runs.updateEach(waiting);
  }
}

function waitOf(run: WorkflowRun, stay: Stay): Partial<WorkflowRun> {
  const dueAt = momentOf(stay, run.waitsFor as 'arrival' | 'departure', run.waitOffsetMinutes ?? 0);
  return { dueAt, steps: run.steps.map((step) => (step.status === 'waiting' ? { ...step, dueAt } : step)) };
}

const isAsItWas = (stay: Stay, before: Stay): boolean =>
  stay.status === before.status &&
  stay.released === before.released &&
  stay.arrivalAt === before.arrivalAt &&
  stay.departureAt === before.departureAt;
