import { Injectable } from '@nestjs/common';
import { stayOfEvent } from '../facts.js';
import type { WorkflowTrigger } from '../../../workflows/definition.dto.js';
import type { Facts } from '../references.js';
import { localDate } from '../../../workflows/schedule.js';
import { StayFactsRepository } from '../stay-facts.repository.js';
import type { RunStep, RunTrigger, WorkflowRun } from './run.entity.js';

/** What there is to know where something has a workflow run. */
export interface Occasion {
  workflow: { id: string; name: string };
  trigger: WorkflowTrigger;
  had: RunTrigger;
  reservationId: string | null;
  /** The properties that the member is limited to in whose name it acts. */
  propertyIds: readonly string[] | null;
}

/** Facts as they are now; of what triggered a run, as it was then. */
@Injectable()
export class RunFactsService {
  constructor(private readonly stays: StayFactsRepository) {}

  async of(orgId: string, { workflow, trigger, had, reservationId, propertyIds }: Occasion): Promise<Facts> {
    const { event, occursAt } = had;
    const reservation = reservationId && (await this.stays.find(orgId, reservationId, propertyIds));
    return {
      workflow: { id: workflow.id, name: workflow.name },
      ...(event && { event }),
      ...(reservation && { reservation }),
      ...(occursAt && { schedule: { occursAt, date: localDate(occursAt, trigger.timezone ?? 'utc') } }),
    };
  }
}

/** What is known beside that at a step of a run. */
export const withRun = (facts: Facts, { id, steps }: Pick<WorkflowRun, 'id' | 'steps'>): Facts => ({
  ...facts,
  run: { id },
  steps: Object.fromEntries(steps.map(({ stepId, result }: RunStep) => [stepId, { id: result?.id }])),
});

export const stayOf = ({ event }: RunTrigger): string | null => (event ? (stayOfEvent(event) ?? null) : null);
