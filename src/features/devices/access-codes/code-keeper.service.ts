import { Injectable } from '@nestjs/common';
import { Jobs, type Lane, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { ConnectionAccounts } from '../../../outside/connections/connection-accounts.js';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Device } from '../device.entity.js';
import { DevicesRepository } from '../devices.repository.js';
import { DeviceProviders } from '../providers/device-providers.js';
import type { AccessCode } from './access-code.entity.js';
import { codeFailed, codeRemoved, codeSet } from '../../../devices/access-codes/access-codes.events.js';
import { AccessCodesRepository, type DueCode } from './access-codes.repository.js';
import { type CodeContact, CodeCalls } from './code-calls.js';
import { afterRemoving, afterSetting } from './code-outcome.js';
import { ended } from './code-plan.js';

/** Apart from other work, because a provider that hangs takes its time. */
const accessCodes: Lane = { name: 'access-codes', concurrency: 8, drainMs: 5_000 };
/** Longer than all the calls that are made for one code. */
const leaseMs = 90_000;

/** Brings devices in step with the codes that they are to have: ahead of their time, and after it. */
@Injectable()
export class CodeKeeper implements Work<DueCode> {
  readonly name = 'access-codes';
  readonly lane = accessCodes;
  readonly everyMs = 2_000;

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
    jobs.take(this);
  }

  due(now: string): Promise<DueCode[]> {
    return this.codes.due(now);
  }

  async perform(due: DueCode, ending: AbortSignal): Promise<void> {
    const code = await this.take(due);
    if (!code) return;
    const contact = await this.contactOf(code);
    if (!contact) return await this.settle(code, { status: 'failed', failedBecause: 'connection_ended', dueAt: null });
    const changes =
      code.status === 'removing'
        ? afterRemoving(code, await this.calls.remove(contact, code, ending))
        : await this.set(contact, code, ending);
    if (changes) await this.settle(code, changes);
    else await this.codes.release(code);
  }

  /** Undefined where it was changed meanwhile. */
  private async set(
    contact: CodeContact,
    code: AccessCode,
    ending: AbortSignal,
  ): Promise<Partial<AccessCode> | undefined> {
    if (code.renewed) {
      const removed = await this.calls.remove(contact, code, ending);
      if (removed.outcome !== 'confirmed' && removed.outcome !== 'accepted') return afterSetting(code, unknown);
      if (!(await this.note(code, { renewed: false, asked: false, providerRef: null }))) return undefined;
    }
    const found = code.asked ? await this.calls.find(contact, code, ending) : undefined;
    if (found) return afterSetting(code, found);
    // Committed before the contact, so that whoever takes over from a process that is gone looks for it first.
    if (!(await this.note(code, { asked: true }))) return undefined;
    return afterSetting(code, await this.calls.set(contact, code, ending));
  }

  /** In a transaction of its own: what its time has made of it, before the provider is asked. */
  private async take(due: DueCode): Promise<AccessCode | undefined> {
    return await this.database.transaction(due.orgId, async () => {
      const now = new Date();
      const until = new Date(now.getTime() + leaseMs).toISOString();
      const code = await this.codes.take(due, now.toISOString(), until);
      if (!code) return undefined;
      const before = await this.codes.update(code, afterItsTime(code, now));
      if (code.status !== 'failed') return code;
      this.events.record({ orgId: due.orgId }, codeFailed, code, before);
      return undefined;
    });
  }

  /** Undefined where the connection has ended: nobody can be asked any more. */
  private async contactOf({ orgId, deviceId }: AccessCode): Promise<CodeContact | undefined> {
    const { connectionId, providerDeviceId } = (await this.devices.findAny(orgId, deviceId)) as Device;
    const account = await this.accounts.of(orgId, connectionId);
    const keeping = account && this.providers.named(account.connection.provider).codes;
    return keeping && { account, keeping, providerDeviceId };
  }

  private note(code: AccessCode, known: Parameters<AccessCodesRepository['note']>[1]): Promise<boolean> {
    return this.database.transaction(code.orgId, () => this.codes.note(code, known));
  }

  /** Nothing where somebody else took it up; and where it was changed meanwhile, what it is now counts. */
  private async settle(code: AccessCode, changes: Partial<AccessCode>): Promise<void> {
    const { orgId, id, attempt, version } = code;
    await this.database.transaction(orgId, async () => {
      const settled = { ...changes, leaseUntil: null };
      const current = await this.codes.findForChange(orgId, id);
      if (current?.attempt !== attempt) return;
      if (current.version !== version) return await this.codes.release(code);
      // Tried in vain it is what it was, so that is no new version.
      if (!changes.status) return void (await this.codes.note(current, settled));
      const before = await this.codes.update(current, settled);
      const happened = { set: codeSet, failed: codeFailed, removed: codeRemoved }[current.status as string];
      if (happened) this.events.record({ orgId }, happened, current, before);
    });
  }
}

const unknown = { outcome: 'unknown' } as const;

/** What its time has made of a code that is due. */
function afterItsTime(code: AccessCode, now: Date): Partial<AccessCode> {
  const isLate = code.endsAt !== null && code.endsAt <= now.toISOString();
  if (code.status === 'set') return ended(code);
  if (isLate && code.status !== 'removing') return ended(code, 'too_late');
  return code.status === 'scheduled' ? { status: 'setting' } : {};
}
