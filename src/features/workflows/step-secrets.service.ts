import { Injectable } from '@nestjs/common';
import type { Issue } from '#errors';
import { masked, masksIn, withoutSecrets, withSecretsAs, withSecretsOf } from '#operations';
import { Keyring } from '#secrets';
import { allSteps, type Step } from './definition.js';
import { StepCatalogue } from './step-catalogue.js';
import { type GivenStep, WorkflowStep } from './step.dto.js';

type Input = Record<string, unknown>;

/** Where a secret is used: sealed for one workflow, it cannot be opened in another. */
interface Place {
  orgId: string;
  workflowId: string;
}

/**
 * What is stored instead of a secret. An earlier release does not take it for the secret, because the secrets of these
 * operations are texts. Nobody can plant one, because every value of a secret is sealed before it is stored.
 */
interface Sealed {
  sealed: string;
}

/** The secrets in the inputs of steps: stored sealed, used by runs, and read by nobody. */
@Injectable()
export class StepSecrets {
  constructor(
    private readonly catalogue: StepCatalogue,
    private readonly keyring: Keyring,
  ) {}

  /** Steps as they are stored. */
  seal(steps: readonly Step[], place: Place): Step[] {
    return this.replacedIn(steps, (secret) => this.sealed(secret, place));
  }

  /** Steps with their secrets again. Those of earlier releases are stored as they are. */
  open(steps: readonly Step[], place: Place): Step[] {
    return this.replacedIn(steps, (secret) => this.opened(secret, place));
  }

  sealInput(operation: string, input: Input, place: Place): Input {
    return this.replacedInInput(operation, input, (secret) => this.sealed(secret, place));
  }

  openInput(operation: string, input: Input, place: Place): Input {
    return this.replacedInInput(operation, input, (secret) => this.opened(secret, place));
  }

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

  private replacedIn(steps: readonly Step[], as: (secret: unknown) => unknown): Step[] {
    return steps.map((step) => withSecretsAs(WorkflowStep, step, this.find, as) as unknown as Step);
  }

  private replacedInInput(operation: string, input: Input, as: (secret: unknown) => unknown): Input {
    const handled = this.catalogue.find(operation);
    return handled ? withSecretsAs(handled.operation.input, input, this.find, as) : input;
  }

  private sealed(secret: unknown, place: Place): Sealed {
    return { sealed: this.keyring.seal(JSON.stringify(secret), contextOf(place)).toString('base64url') };
  }

  private opened(secret: unknown, place: Place): unknown {
    if (!isSealed(secret)) return secret;
    return JSON.parse(this.keyring.open(Buffer.from(secret.sealed, 'base64url'), contextOf(place)));
  }

  private readonly find = (name: string) => this.catalogue.find(name)?.operation;
}

const contextOf = ({ orgId, workflowId }: Place): string => `steps:${orgId}:${workflowId}`;

const isSealed = (secret: unknown): secret is Sealed =>
  typeof secret === 'object' && secret !== null && typeof (secret as Sealed).sealed === 'string';
