import { Injectable } from '@nestjs/common';
import { Catalogue, exampleOfField, fieldsOf, type Handled, type Operation, schemaOf } from '#operations';
import type { Step } from './definition.js';
import type { WorkflowOperation } from './workflow-catalog.dto.js';

/**
 * The operations that steps may perform. Everything else is excluded: people, keys, settings, and what other steps do.
 */
const scopes = ['tasks:write', 'reservations:write', 'properties:write', 'devices:control'];
/** Destructive operations are left to people, with one exception: unlocking a door is a normal use of a lock. */
const destructiveOf = 'devices:control';

/** The permissions that steps other than operations require. */
export const permissionOfKind = { send_email: 'templates:publish', webhook: 'webhooks:manage' } as const;

/** The operations that steps can perform, selected by scope and effect so that new ones are included automatically. */
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

  /** The permission that a step needs; none if it has no effect outside its run. */
  permissionFor(step: Step): string | undefined {
    if (step.kind === 'operation') return this.find(step.operation)?.operation.scope;
    return step.kind === 'send_email' || step.kind === 'webhook' ? permissionOfKind[step.kind] : undefined;
  }

  /** A sample of a step's result. */
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
  // Templates do not take files.
  return !modelBacked && !showsSecret && maxBodyBytes === undefined;
}
