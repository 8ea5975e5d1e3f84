import ipaddr from 'ipaddr.js';
import { ServiceError } from '#errors';
import { MemorySlidingWindowStore } from '#limits';

const hourMs = 3_600_000;
/** Applications that one address may register in any hour (specification, OAuth limits). */
const created = 5;
/** Attempts of any outcome. */
const attempted = 60;

/** Registration is open to anyone, so it is limited by where it comes from. */
export class RegistrationLimit {
  private readonly created = new MemorySlidingWindowStore();
  private readonly attempts = new MemorySlidingWindowStore();

  /** @throws rate_limit_error with Retry-After. */
  reserve(ip: string): void {
    const source = sourceOf(ip);
    const waitMs = this.attempts.take(source, attempted, hourMs) || this.created.take(source, created, hourMs);
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
  }

  /** Nothing was created after all. */
  giveBack(ip: string): void {
    this.created.giveBack(sourceOf(ip));
  }
}

/** An IPv6 site has a whole /64 to itself. */
export function sourceOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toNormalizedString().split(':').slice(0, 4).join(':');
}

const tooMany = (retryAfterSeconds: number): ServiceError =>
  new ServiceError({
    status: 429,
    message: `Too many applications were registered from this address; ${created} an hour may be.`,
    details: { retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
