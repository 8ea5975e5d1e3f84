import { Injectable } from '@nestjs/common';
import { stayOfEvent } from '../facts.js';
import type { Facts } from '../references.js';
import { localDate } from '../schedule-times.js';
import { StayFactsRepository } from '../stay-facts.repository.js';
import type { Trigger } from '../trigger.dto.js';
import type { RunStep, RunTrigger, WorkflowRun } from './run.entity.js';

/** The sources of a run's facts. */
export interface Occasion {
  workflow: { id: string; name: string };
  trigger: Trigger;
  had: RunTrigger;
  reservationId: string | null;
  /** The properties that the acting member is limited to. */
  propertyIds: readonly string[] | null;
}

/** Facts as they are now, except those of the trigger, which stay as they were. */
@Injectable()
export class RunFactsService {
  constructor(private readonly stays: StayFactsRepository) {}

  async of(orgId: string, { workflow, trigger, had, reservationId, propertyIds }: Occasion): Promise<Facts> {
    const { event, occursAt } = had;
    const timezone = trigger.kind === 'schedule' ? trigger.timezone : 'utc';
    const reservation = reservationId && (await this.stays.find(orgId, reservationId, propertyIds));
    return {
      workflow: { id: workflow.id, name: workflow.name },
      ...(event && { event }),
      ...(reservation && { reservation }),
      ...(occursAt && { schedule: { occursAt, date: localDate(occursAt, timezone) } }),
    };
  }
}

/** The additional facts at a step of a run. */
export const withRun = (facts: Facts, { id, steps }: Pick<WorkflowRun, 'id' | 'steps'>): Facts => ({
  ...facts,
  run: { id },
  steps: Object.fromEntries(steps.map(({ stepId, result }: RunStep) => [stepId, { id: result?.id }])),
});

export const stayOf = ({ event }: RunTrigger): string | null => (event ? (stayOfEvent(event) ?? null) : null);
