import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#context';
import type { Operation } from '#operations';
import { actOf, type AuditChange } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { subjectOf } from '../../platform/events/event-type.js';

/**
 * Every change, and every secret that is shown, has an entry in the audit trail: the event of a change creates one for
 * each record, and showing a secret creates one here. A write that changes nothing creates none.
 */
@Injectable()
export class AuditedOperations {
  constructor(private readonly audit: AuditService) {}

  async run(context: RequestContext, operation: Operation, call: () => Promise<unknown>): Promise<unknown> {
    const { caller, input = {} } = context;
    if (!caller || (operation.effect === 'read' && !operation.showsSecret)) return await call();
    const act = actOf(caller, operation.name);
    if (operation.effect !== 'read') return await this.audit.during(act, call);
    const result = await call();
    await this.audit.record(
      caller.orgId,
      shownBy(operation, input as Record<string, unknown>, result, caller.orgId),
      act,
    );
    return result;
  }
}

/** The subject of the operation: the last id in its path, else the record that it returns, else the organization. */
function shownBy(
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
