import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#context';
import type { Operation } from '#operations';
import { actOf, type AuditChange, AuditService } from '../events/audit/audit.service.js';
import { subjectOf } from '../events/event-type.js';

/**
 * No operation that writes, or that shows a secret, goes without an entry in the audit trail: the events of a change
 * leave one for each record, and what tells of no event gets one of its own.
 */
@Injectable()
export class AuditedOperations {
  constructor(private readonly audit: AuditService) {}

  async run(context: RequestContext, operation: Operation, call: () => Promise<unknown>): Promise<unknown> {
    const { caller, input = {} } = context;
    if (!caller || (operation.effect === 'read' && !operation.showsSecret)) return await call();
    return await this.audit.duringOperation(actOf(operation.name, caller), caller.orgId, call, (result) =>
      changeOfNothing(operation, input as Record<string, unknown>, result, caller.orgId),
    );
  }
}

/** What the operation was about: what its path names last, else what it answers, else the organization. */
function changeOfNothing(
  { pathParameters }: Operation,
  input: Record<string, unknown>,
  result: unknown,
  orgId: string,
): AuditChange {
  const parameter = pathParameters.at(-1);
  const named = parameter && (input[parameter] as string);
  const id = named ?? (result as { id?: string }).id ?? orgId;
  return { target: { type: subjectOf(id), id }, propertyId: input.propertyId as string | undefined };
}
