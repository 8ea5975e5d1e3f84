import { Injectable } from '@nestjs/common';
import type { Issue } from '#errors';
import { masked, masksIn, withoutSecrets, withSecretsOf } from '#operations';
import { allSteps, type Step } from './definition.js';
import { StepCatalogue } from './step-catalogue.js';
import { type GivenStep, WorkflowStep } from './step.dto.js';

type Input = Record<string, unknown>;

/** The secrets in the inputs of steps: runs use them, and nobody reads them. */
@Injectable()
export class StepSecrets {
  constructor(private readonly catalogue: StepCatalogue) {}

  mask(steps: readonly Step[]): Step[] {
    return steps.map((step) => withoutSecrets(WorkflowStep, step, this.find) as unknown as Step);
  }

  maskInput(operation: string, input: Input): Input {
    const handled = this.catalogue.find(operation);
    return handled ? withoutSecrets(handled.operation.input, input, this.find) : input;
  }

  /**
   * Steps that a client read and sends back, with the secrets behind their masks.
   *
   * @param before the current steps. A mask stands for the secret of the step with the same name and operation.
   */
  restore(given: readonly GivenStep[], before: readonly Step[]): GivenStep[] {
    const known = new Map(allSteps(before).map((step) => [step.id, step]));
    const restored = (step: GivenStep): GivenStep => {
      if (step.kind === 'branch')
        return {
          ...step,
          steps: step.steps.map(restored),
          ...(step.otherwise && { otherwise: step.otherwise.map(restored) }),
        };
      if (step.kind !== 'operation' || !step.input) return step;
      const earlier = step.id === undefined ? undefined : known.get(step.id);
      const handled = this.catalogue.find(step.operation);
      if (!handled || earlier?.kind !== 'operation' || earlier.operation !== step.operation) return step;
      const { input } = handled.operation;
      return { ...step, input: withSecretsOf(earlier.input ?? {}, input, step.input, this.find) };
    };
    return given.map(restored);
  }

  /** An issue for each mask that stands for no secret. */
  issuesOf(operation: string, input: Input, at: Issue['path']): Issue[] {
    const handled = this.catalogue.find(operation);
    const paths = handled ? masksIn(handled.operation.input, input, this.find) : [];
    return paths.map((path) => ({ path: [...at, ...path], message: `Pass the secret itself instead of ${masked}.` }));
  }

  private readonly find = (name: string) => this.catalogue.find(name)?.operation;
}
