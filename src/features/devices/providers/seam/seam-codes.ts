import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { CodeAnswer, FoundCode, Read } from '../device-answers.js';
import type { CodeKeeping, CodeOrder } from '../device-provider.js';
import { isFailure, type SeamClient, type SeamFailure } from './seam-client.js';
import type { SeamSettings } from './seam-settings.dto.js';

interface SeamCode {
  access_code_id: string;
  device_id: string;
  name?: string | null;
  code?: string | null;
  status?: string;
  starts_at?: string | null;
  ends_at?: string | null;
}

type SeamAccount = Account<SeamSettings>;

/**
 * Codes that Seam stores at locks. Seam takes no idempotency key, so a code is recognized by its digits and its name: a
 * lock accepts the same digits only once.
 */
export class SeamCodes implements CodeKeeping<SeamSettings> {
  constructor(private readonly client: SeamClient) {}

  async set(account: SeamAccount, order: CodeOrder, signal: AbortSignal): Promise<CodeAnswer> {
    const kept = await this.codesOf(account, order.providerDeviceId, signal);
    if (isFailure(kept)) return kept;
    const same = kept.find(({ code }) => code === order.code);
    if (!same) return await this.create(account, order, signal);
    if (same.name !== order.name) return { outcome: 'refused', retryable: false, reason: 'duplicate' };
    return isSameTime(same, order) ? answerOf(same) : await this.move(account, same, order, signal);
  }

  async remove(
    account: SeamAccount,
    { providerDeviceId, providerRef }: { providerDeviceId: string; providerRef: string },
    signal: AbortSignal,
  ): Promise<CodeAnswer> {
    const kept = await this.codesOf(account, providerDeviceId, signal);
    if (isFailure(kept)) return kept;
    if (!kept.some((code) => code.access_code_id === providerRef)) return { outcome: 'confirmed', providerRef };
    const deleted = await this.client.ask(account, signal, async (call) => {
      await call('access_codes/delete', { access_code_id: providerRef });
      return { providerRef };
    });
    return isFailure(deleted) ? deleted : { outcome: 'accepted', providerRef };
  }

  async list(account: SeamAccount, providerDeviceId: string, signal: AbortSignal): Promise<Read<FoundCode[]>> {
    const codes = await this.codesOf(account, providerDeviceId, signal);
    return isFailure(codes) ? codes : { outcome: 'read', value: codes.map(foundCode) };
  }

  private async create(account: SeamAccount, order: CodeOrder, signal: AbortSignal): Promise<CodeAnswer> {
    const { providerDeviceId: device_id, name, code, isOneTime } = order;
    const wanted = { device_id, name, code, ...timeOf(order), ...(isOneTime && { is_one_time_use: true }) };
    const made = await this.client.ask(account, signal, async (call) =>
      checked((await call('access_codes/create', wanted)).access_code),
    );
    return isFailure(made) ? made : answerOf(made);
  }

  /** A reservation moved: the same code gets other times. */
  private async move(
    account: SeamAccount,
    { access_code_id, device_id }: SeamCode,
    order: CodeOrder,
    signal: AbortSignal,
  ): Promise<CodeAnswer> {
    const time = timeOf(order);
    const type = 'starts_at' in time ? 'time_bound' : 'ongoing';
    const moved = await this.client.ask(account, signal, async (call) => {
      await call('access_codes/update', { access_code_id, device_id, type, ...time });
      return { access_code_id };
    });
    return isFailure(moved) ? moved : { outcome: 'accepted', providerRef: access_code_id };
  }

  private codesOf(account: SeamAccount, device_id: string, signal: AbortSignal): Promise<SeamCode[] | SeamFailure> {
    return this.client.ask(account, signal, async (call) => {
      const { access_codes: codes } = await call('access_codes/list', { device_id });
      return (codes as unknown[]).map(checked).filter((code) => code.device_id === device_id);
    });
  }
}

function checked(code: unknown): SeamCode {
  if (typeof (code as SeamCode).access_code_id !== 'string') throw new Error('Not an access code of Seam’s');
  return code as SeamCode;
}

const answerOf = ({ access_code_id: providerRef, status }: SeamCode): CodeAnswer => ({
  outcome: status === 'set' ? 'confirmed' : 'accepted',
  providerRef,
});

/** Seam requires both times or neither. */
const timeOf = ({ startsAt, endsAt }: CodeOrder) =>
  endsAt === null ? {} : { starts_at: startsAt ?? new Date().toISOString(), ends_at: endsAt };

const isSameTime = (code: SeamCode, { startsAt, endsAt }: CodeOrder): boolean =>
  isSameMoment(code.ends_at, endsAt) && (startsAt === null || isSameMoment(code.starts_at, startsAt));

const isSameMoment = (one: string | null | undefined, other: string | null): boolean =>
  one && other ? Date.parse(one) === Date.parse(other) : !one && !other;

const foundCode = (code: SeamCode): FoundCode => ({
  providerRef: code.access_code_id,
  name: code.name ?? '',
  code: code.code ?? null,
  startsAt: code.starts_at ?? null,
  endsAt: code.ends_at ?? null,
  isSet: code.status === 'set',
});
