import { Injectable } from '@nestjs/common';
import { type Claim, type ClaimedTable, type ClaimedWork, claiming, Jobs, type Lane } from '#jobs';
import { TenantDatabase } from '#persistence';
import { ConnectionAccounts } from '../../../outside/connections/connection-accounts.js';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Device } from '../device.entity.js';
import { DevicesRepository } from '../devices.repository.js';
import { DeviceProviders } from '../providers/device-providers.js';
import type { AccessCode } from './access-code.entity.js';
import { codeFailed, codeRemoved, codeSet } from './access-codes.events.js';
import { AccessCodesRepository, claimOf } from './access-codes.repository.js';
import { type CodeContact, CodeCalls } from './code-calls.js';
import { afterRemoving, afterSetting } from './code-outcome.js';
import { ended } from './code-plan.js';

/** A separate lane, because a hanging provider takes long. */
const accessCodes: Lane = { name: 'access-codes', concurrency: 8, drainMs: 5_000 };

/** Sets codes on devices before they start, and removes them after they end. */
@Injectable()
export class CodeKeeper implements ClaimedWork {
  readonly lane = accessCodes;
  readonly claims: ClaimedTable;

  constructor(
    private readonly database: TenantDatabase,
    private readonly codes: AccessCodesRepository,
    private readonly devices: DevicesRepository,
    private readonly accounts: ConnectionAccounts,
    private readonly providers: DeviceProviders,
    private readonly calls: CodeCalls,
    private readonly events: EventsService,
    jobs: Jobs,
  ) {
    this.claims = codes.claims;
    jobs.take(claiming(this));
  }

  async perform(claim: Claim, ending: AbortSignal): Promise<void> {
    const code = await this.begin(claim);
    if (!code) return await this.putBack(claim);
    const contact = await this.contactOf(code);
    if (!contact) return await this.settle(code, { status: 'failed', failedBecause: 'connection_ended', dueAt: null });
    const changes =
      code.status === 'removing'
        ? afterRemoving(code, await this.calls.remove(contact, code, ending))
        : await this.set(contact, code, ending);
    if (changes) await this.settle(code, changes);
    else await this.putBack(claim);
  }

  /** It was changed in the meantime, so it may be due again. */
  private async putBack(claim: Claim): Promise<void> {
    await this.claims.release(claim);
    this.claims.becomesDue(new Date().toISOString());
  }

  /** Undefined if it was changed in the meantime. */
  private async set(
    contact: CodeContact,
    code: AccessCode,
    ending: AbortSignal,
  ): Promise<Partial<AccessCode> | undefined> {
    if (code.renewed) {
      const removed = await this.calls.remove(contact, code, ending);
      if (removed.outcome !== 'confirmed' && removed.outcome !== 'accepted') return afterSetting(code, unknown);
      if (!(await this.codes.note(code, { renewed: false, asked: false, providerRef: null }))) return undefined;
    }
    const found = code.asked ? await this.calls.find(contact, code, ending) : undefined;
    if (found) return afterSetting(code, found);
    // Committed before the contact, so that a process that takes over looks for the code first.
    if (!(await this.codes.note(code, { asked: true }))) return undefined;
    return afterSetting(code, await this.calls.set(contact, code, ending));
  }

  /**
   * The state of a due code, only by time, before the provider is asked. Undefined if it has ended or is not due now.
   */
  private async begin(claim: Claim): Promise<AccessCode | undefined> {
    return await this.database.transaction(claim.orgId, async () => {
      const now = new Date();
      const code = await this.codes.ofClaim(claim, now.toISOString());
      if (!code) return undefined;
      const before = await this.codes.update(code, afterItsTime(code, now));
      if (code.status !== 'failed') return code;
      this.events.record({ orgId: claim.orgId }, codeFailed, code, before);
      return undefined;
    });
  }

  /** Undefined if the connection has ended, so that the provider cannot be asked any more. */
  private async contactOf({ orgId, deviceId }: AccessCode): Promise<CodeContact | undefined> {
    const { connectionId, providerDeviceId } = (await this.devices.findAny(orgId, deviceId)) as Device;
    const account = await this.accounts.of(orgId, connectionId);
    const keeping = account && this.providers.named(account.connection.provider).codes;
    return keeping && { account, keeping, providerDeviceId };
  }

  /** Nothing if another process took over; if it was changed in the meantime, its new state counts. */
  private async settle(code: AccessCode, changes: Partial<AccessCode>): Promise<void> {
    const { orgId, id, attempt, version } = code;
    await this.database.transaction(orgId, async () => {
      const settled = { ...changes, leaseUntil: null };
      const current = await this.codes.findForChange(orgId, id);
      if (current?.attempt !== attempt) return;
      if (current.version !== version) return await this.putBack(claimOf(code));
      // A failed attempt does not change the code, so it creates no new version.
      if (!changes.status) return void (await this.codes.note(current, settled));
      const before = await this.codes.update(current, settled);
      const happened = { set: codeSet, failed: codeFailed, removed: codeRemoved }[current.status as string];
      if (happened) this.events.record({ orgId }, happened, current, before);
    });
  }
}

const unknown = { outcome: 'unknown' } as const;

/** The state of a due code, only by time. */
function afterItsTime(code: AccessCode, now: Date): Partial<AccessCode> {
  const isLate = code.endsAt !== null && code.endsAt <= now.toISOString();
  if (code.status === 'set') return ended(code);
  if (isLate && code.status !== 'removing') return ended(code, 'too_late');
  return code.status === 'scheduled' ? { status: 'setting' } : {};
}
