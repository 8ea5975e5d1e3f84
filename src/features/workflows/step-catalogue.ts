import { Injectable } from '@nestjs/common';
import { Catalogue, exampleOfField, fieldsOf, type Handled, type Operation, schemaOf } from '#operations';
import type { Step } from '../../workflows/definition.js';
import type { WorkflowOperation } from '../../workflows/workflow-catalog.dto.js';

/** What steps may do; what they must not is everything else: people, keys, settings, and what other steps are for. */
const scopes = ['tasks:write', 'reservations:write', 'properties:write', 'devices:control'];
/** What undoes something is left to people; unlocking a door is what locks are for. */
const destructiveOf = 'devices:control';

/** What the kinds of steps need that are no operations. */
export const permissionOfKind = { send_email: 'templates:publish', webhook: 'webhooks:manage' } as const;

/** The operations that steps can do, out of all that the service has: by scope and effect, so that new ones are there too. */
@Injectable()
export class StepCatalogue {
  private handled?: ReadonlyMap<string, Handled>;

  constructor(private readonly catalogue: Catalogue) {}

  find(name: string): Handled | undefined {
    return this.all.get(name);
  }

  operations(): Operation[] {
    return [...this.all.values()].map(({ operation }) => operation);
  }

  titleOf(name: string): string {
    return this.find(name)?.operation.title ?? name;
  }

  described(): WorkflowOperation[] {
    return this.operations().map(({ name, title, description, scope = '', input }) => {
      return { operation: name, title, description, permission: scope, input: schemaOf(input) };
    });
  }

  /** What a step needs to be permitted; nothing where it does nothing outside of its run. */
  permissionFor(step: Step): string | undefined {
    if (step.kind === 'operation') return this.find(step.operation)?.operation.scope;
    return step.kind === 'send_email' || step.kind === 'webhook' ? permissionOfKind[step.kind] : undefined;
  }

  /** What a step makes, made up. */
  sampleMadeBy(step: Step): { id?: string } {
    const made = step.kind === 'operation' ? this.find(step.operation)?.operation.output.view : undefined;
    const id = made && fieldsOf(made).find(({ name }) => name === 'id');
    return id ? { id: exampleOfField(id.schema) as string } : {};
  }

  private get all(): ReadonlyMap<string, Handled> {
    this.handled ??= new Map(
      this.catalogue
        .all()
        .filter(({ operation }) => isForSteps(operation))
        .map((handled) => [handled.operation.name, handled]),
    );
    return this.handled;
  }
}

function isForSteps({ scope = '', effect, output, modelBacked, showsSecret, maxBodyBytes }: Operation): boolean {
  if (!scopes.includes(scope) || effect === 'read' || output.kind !== 'one') return false;
  if (effect === 'destructive' && scope !== destructiveOf) return false;
  // Files are no matter of templates.
  return !modelBacked && !showsSecret && maxBodyBytes === undefined;
}
