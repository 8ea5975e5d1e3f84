import { Injectable } from '@nestjs/common';
import type { InWords } from '../../platform/events/happening.js';
import type { Definition } from './definition.js';
import { StepCatalogue } from './step-catalogue.js';
import { StepSecrets } from './step-secrets.service.js';
import { summaryOf } from './summary.js';

/** Definitions in plain words, for those who read or approve a workflow. */
@Injectable()
export class DefinitionWords {
  constructor(
    private readonly steps: StepCatalogue,
    private readonly secrets: StepSecrets,
  ) {}

  summaryOf(definition: Definition): string[] {
    const steps = this.secrets.mask(definition.steps);
    return summaryOf({ ...definition, steps }, (name) => this.steps.titleOf(name));
  }

  /** What a workflow does so far and from now on, as whom, for the person who approves it. */
  ofChange(before: Definition | null, after: Definition): { inWords: InWords } {
    return { inWords: { before: before && this.withRunner(before), after: this.withRunner(after) } };
  }

  private withRunner(definition: Definition): string[] {
    return [...this.summaryOf(definition), `It has the permissions of ${definition.runAsMemberId}.`];
  }
}
