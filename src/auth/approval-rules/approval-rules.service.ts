import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Catalogue } from '#operations';
import { newId } from '#persistence';
import { actOf } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { Quotas } from '../../tenancy/quotas/quotas.service.js';
import type { ApprovalRuleRow, ApprovalSettings, NewApprovalRule } from './approval-rule.dto.js';
import { ruleExists, ruleNotFound, unknownSubject, unknownWhat } from './approval-rules.errors.js';
import { ApprovalRulesRepository } from './approval-rules.repository.js';
import { canBeHeld, wideRules } from './mode-for.js';

/**
 * The rules of an organization, for its owners on a page and for operators. No operation changes them, since an
 * application that acts as an owner could call it.
 */
@Injectable()
export class ApprovalRulesService {
  constructor(
    private readonly rules: ApprovalRulesRepository,
    private readonly catalogue: Catalogue,
    private readonly quotas: Quotas,
    private readonly audit: AuditService,
  ) {}

  /** The names of operations that a rule can be about, in alphabetical order. */
  get operations(): string[] {
    return this.catalogue
      .all()
      .filter(({ operation }) => canBeHeld(operation))
      .map(({ operation }) => operation.name);
  }

  list({ orgId }: Caller): Promise<ApprovalRuleRow[]> {
    return this.rules.list(orgId);
  }

  settings({ orgId }: Caller): Promise<ApprovalSettings> {
    return this.rules.settings(orgId);
  }

  /** In a transaction. @throws validation_error if there is a rule for the same; conflict_error QUOTA_EXCEEDED. */
  async add(caller: Caller, { who, userId = null, what, mode }: NewApprovalRule): Promise<ApprovalRuleRow> {
    if (who !== 'all' && !(await this.rules.isKnown(caller.orgId, who))) throw unknownSubject();
    if (!isWide(what) && !this.operations.includes(what)) throw unknownWhat();
    await this.quotas.admit(caller, 'approvalRules');
    const rule = { id: newId('rule'), who, userId, what, mode, createdAt: new Date().toISOString() };
    if (!(await this.rules.insertOnce(caller.orgId, rule, caller.memberId))) throw ruleExists();
    await this.note(caller, 'addApprovalRule', rule.id, { after: { who, userId, what, mode } });
    return rule;
  }

  /** In a transaction. */
  async remove(caller: Caller, id: string): Promise<ApprovalRuleRow> {
    const rule = await this.rules.remove(caller.orgId, id);
    if (!rule) throw ruleNotFound();
    const { who, userId, what, mode } = rule;
    await this.note(caller, 'removeApprovalRule', id, { before: { who, userId, what, mode } });
    return rule;
  }

  /** In a transaction. */
  async change(caller: Caller, after: ApprovalSettings): Promise<void> {
    const before = await this.rules.settings(caller.orgId);
    await this.rules.changeSettings(caller.orgId, after);
    await this.note(caller, 'changeApprovalSettings', caller.orgId, { before, after });
  }

  private async note(caller: Caller, action: string, id: string, change: object): Promise<void> {
    const type = id.startsWith('org_') ? 'organization' : 'approval_rule';
    await this.audit.record(caller.orgId, { target: { type, id }, ...change }, actOf(caller, action));
  }
}

const isWide = (what: string): boolean => (wideRules as readonly string[]).includes(what);
