import type { ApprovalMode } from '#access';
import { TenantDatabase } from '#persistence';
import { ApprovalRulesService } from '../../../src/auth/approval-rules/approval-rules.service.js';
import type { Approval } from '../../../src/auth/approvals/approval.entity.js';
import { ApprovalsRepository } from '../../../src/auth/approvals/approvals.repository.js';
import { Decisions } from '../../../src/auth/approvals/decisions.service.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import { Browser } from '../../../faults/page-client.js';
import type { Api, Json } from '../../support/api.js';
import { keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { owner } from '../../support/start-app.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

export const pathOf = (pending: Json): string => new URL(pending.data.url as string).pathname;

/** Credentials that need approval, and the owner's browser in which their requests are decided. */
export class ApprovalWorld {
  private constructor(
    readonly tenant: Tenant,
    readonly browser: Browser,
  ) {}

  static async start(): Promise<ApprovalWorld> {
    const tenant = await startTenant();
    const browser = new Browser(tenant.service.url);
    await browser.signIn(owner.email, owner.password);
    return new ApprovalWorld(tenant, browser);
  }

  /** A credential that needs approval. */
  async asking(what: string, mode: ApprovalMode = 'ask'): Promise<{ api: Api; key: string; id: string }> {
    const { api, key, id } = await keyWith(this.tenant.api);
    await this.addRule(id, what, mode);
    return { api, key, id };
  }

  async addRule(who: string, what: string, mode: ApprovalMode, orgId = this.tenant.orgId): Promise<void> {
    const { app } = this.tenant.service;
    const caller = operatorFor(orgId, `member_${'0'.repeat(32)}`);
    await app
      .get(TenantDatabase)
      .transaction(orgId, () => app.get(ApprovalRulesService).add(caller, { who, what, mode }));
  }

  async newTask(): Promise<string> {
    return (await this.tenant.api.post('/tasks', { name: 'Clean the pool', propertyId: this.tenant.here })).body.data
      .id as string;
  }

  async decide(pending: Json, decision: 'approve' | 'refuse', fields = {}): Promise<string> {
    const page = await this.browser.get(pathOf(pending));
    return (await this.browser.submit(page, pathOf(pending), { decision, ...fields })).text;
  }

  /**
   * Approves effects other than the current ones, as if they changed between the decision and the execution: approval is
   * needed again.
   */
  async approveOtherEffects(api: Api, { data: { id } }: Json): Promise<void> {
    const { app } = this.tenant.service;
    const approval = (await app.get(ApprovalsRepository).find(this.tenant.orgId, id as string)) as Approval;
    const nothing = { happened: [], startedAt: 0 };
    await app.get(Decisions).approve(operatorFor(this.tenant.orgId, approval.requestedBy), approval, nothing);
    const { body } = await until(
      () => api.get(`/approvals/${approval.id}`),
      ({ body: { data } }) => data.status !== 'approved' && data.decidedAt !== null,
    );
    expect(body.data.status).toBe('pending');
  }

  /** Waits until the request is carried out or has ended in another way. */
  async outcomeOf(id: string, key: string): Promise<Json> {
    return (
      await until(
        () => this.tenant.service.api.as(key).get(`/approvals/${id}`),
        ({ body }) => !['pending', 'approved'].includes(body.data.status as string),
      )
    ).body.data as Json;
  }

  async archived(taskId: string): Promise<boolean> {
    return (await this.tenant.api.get(`/tasks/${taskId}`)).body.data.archivedAt !== null;
  }
}
