import type { Request } from 'express';
import type { Middleware } from 'oidc-provider';
import { ServiceError } from '#errors';
import { sourceOf } from '#limits';
import type { SlidingWindowsRepository, Window } from '../../platform/limits/sliding-windows.repository.js';
import { endpoints } from './endpoints.js';

const hourMs = 3_600_000;
/** How many applications one address may register in any hour (specification, OAuth limits). */
const created: Window = { limit: 5, windowMs: hourMs };
/** How many attempts one address may make, whatever their outcome. */
const attempted: Window = { limit: 60, windowMs: hourMs };

/** Registration is open to anyone, so it is limited by client address. */
export class RegistrationLimit {
  constructor(private readonly windows: SlidingWindowsRepository) {}

  /** @throws rate_limit_error with Retry-After. */
  async reserve(ip: string): Promise<void> {
    const waitMs =
      (await this.windows.take(`registration attempts ${sourceOf(ip)}`, attempted)) ||
      (await this.windows.take(registrationsOf(ip), created));
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
  }

  /** Gives the registration back if nothing was created. */
  async giveBack(ip: string): Promise<void> {
    await this.windows.giveBack(registrationsOf(ip));
  }
}

/** Web clients register from their own origin. The library opens its other endpoints to them, but not this one. */
export const limitRegistrations =
  (limit: RegistrationLimit): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== endpoints.registration) return next();
    ctx.set('Access-Control-Allow-Origin', '*');
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204;
      ctx.set('Access-Control-Allow-Methods', 'POST');
      ctx.set('Access-Control-Allow-Headers', 'content-type, mcp-protocol-version');
      ctx.set('Access-Control-Max-Age', '3600');
      return;
    }
    if (ctx.method !== 'POST') return next();
    const { ip = '' } = ctx.req as Request;
    await limit.reserve(ip);
    try {
      await next();
    } finally {
      if (ctx.status !== 201) await limit.giveBack(ip);
    }
  };

const registrationsOf = (ip: string): string => `registrations ${sourceOf(ip)}`;

const tooMany = (retryAfterSeconds: number): ServiceError =>
  new ServiceError({
    status: 429,
    message: `Too many applications were registered from this address; the limit is ${created.limit} per hour. Try again later.`,
    details: { retryAfterSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
