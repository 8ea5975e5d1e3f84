import { Injectable } from '@nestjs/common';
import { withoutSecrets } from '#operations';
import type { InWords } from '../../platform/events/happening.js';
import type { Definition, Step } from './definition.js';
import { StepCatalogue } from './step-catalogue.js';
import { WorkflowStep } from './step.dto.js';
import { summaryOf } from './summary.js';

/** Definitions in plain words, for those who read or approve a workflow. */
@Injectable()
export class DefinitionWords {
  constructor(private readonly steps: StepCatalogue) {}

  summaryOf(definition: Definition): string[] {
    return summaryOf(definition, (name) => this.steps.titleOf(name));
  }

  /** What a workflow does so far and from now on, as whom, for the person who approves it. */
  ofChange(before: Definition | null, after: Definition): { inWords: InWords } {
    return { inWords: { before: before && this.withRunner(before), after: this.withRunner(after) } };
  }

  /** Secrets in the input of a step are masked. */
  private withRunner(definition: Definition): string[] {
    const find = (name: string) => this.steps.find(name)?.operation;
    const steps = definition.steps.map((step) => withoutSecrets(WorkflowStep, step, find) as unknown as Step);
    return [...this.summaryOf({ ...definition, steps }), `It has the permissions of ${definition.runAsMemberId}.`];
  }
}
