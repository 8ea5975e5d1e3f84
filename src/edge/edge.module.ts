import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { IdempotencyRecords } from '#idempotency';
import { MemoryRateLimitStore, RateLimitStore } from '#limits';
import { TenantDatabase } from '#persistence';
import { Keyring } from '#secrets';
import { AuthModule } from '../auth/auth.module.js';
import { HealthModule } from '../health/health.module.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { ErrorEnvelopeFilter } from './error-envelope.filter.js';
import { EventStreams } from './event-stream.js';
import { ErrorEnvelopeInterceptor } from './error-envelope.interceptor.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { InputInterceptor } from './input.interceptor.js';
import { OutputInterceptor } from './output.interceptor.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ScopesGuard } from './scopes.guard.js';

@Module({ providers: [{ provide: RateLimitStore, useClass: MemoryRateLimitStore }], exports: [RateLimitStore] })
class LimitsModule {}

/** What a request meets, in this order; REST and the tool calls of MCP run through the same list. */
@Module({
  imports: [
    AuthModule,
    HealthModule,
    ThrottlerModule.forRootAsync({
      imports: [LimitsModule],
      inject: [RateLimitStore],
      // One throttler; the limit is the credential's own, and the storage counts minute and burst in one step.
      useFactory: (storage: RateLimitStore) => ({ storage, throttlers: [{ limit: 1_000, ttl: 60_000 }] }),
    }),
  ],
  providers: [
    EventStreams,
    {
      provide: IdempotencyRecords,
      inject: [TenantDatabase, Keyring],
      useFactory: (database: TenantDatabase, keyring: Keyring) => new IdempotencyRecords(database, keyring),
    },
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: ScopesGuard },
    { provide: APP_INTERCEPTOR, useClass: ErrorEnvelopeInterceptor },
    { provide: APP_INTERCEPTOR, useClass: InputInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: OutputInterceptor },
    { provide: APP_FILTER, useClass: ErrorEnvelopeFilter },
  ],
})
export class EdgeModule {}
