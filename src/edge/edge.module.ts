import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { IdempotencyRecords } from '#idempotency';
import { minuteMs, RateLimitStore } from '#limits';
import { ahead, lateLoop } from '#loop-time';
import { TenantDatabase } from '#persistence';
import { Keyring } from '#secrets';
import { requestsInProgress } from '#turns';
import { ApprovalsModule } from '../auth/approvals/approvals.module.js';
import { AuthModule } from '../auth/bearer/auth.module.js';
import { EventsModule } from '../platform/events/events.module.js';
import { HealthModule } from '../platform/health/health.module.js';
import { ModelsModule } from '../outside/models/models.module.js';
import { OrganizationsModule } from '../tenancy/organizations.module.js';
import { AllowedAddressesGuard } from './allowed-addresses.guard.js';
import { ApprovalGate } from './approval-gate.js';
import { AuditedOperations } from './audited-operations.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { AwaitedJobs } from './awaited-jobs.js';
import { RecordStreams } from './record-streams.js';
import { ReferenceSight } from './reference-sight.js';
import { Rehearsals } from './rehearsals.js';
import { ErrorEnvelopeFilter } from './error-envelope.filter.js';
import { IdempotentWrites } from './idempotent-writes.js';
import { ItemBudget } from './item-budget.js';
import { LargeBodies } from './large-bodies.js';
import { LimitsModule } from './limits.module.js';
import { Namesakes } from './namesakes.js';
import { ModelBudget } from './model-budget.js';
import { OpenRequestsModule } from './open-requests.module.js';
import { KnownRoutes } from './known-routes.js';
import { OperationInterceptor } from './operation.interceptor.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ReachGuard } from './reach.guard.js';
import { RequestTurns } from './request-turns.js';
import { ScopesGuard } from './scopes.guard.js';
import { SheddingGuard } from './shedding.guard.js';
import { ShownRecords } from './shown-records.js';
import { TwoFactorGuard } from './two-factor.guard.js';

/** What every request passes, in this order; REST and the tool calls of MCP run through the same list. */
@Module({
  imports: [
    ApprovalsModule,
    AuthModule,
    EventsModule,
    HealthModule,
    LimitsModule,
    ModelsModule,
    OpenRequestsModule,
    OrganizationsModule,
    ThrottlerModule.forRootAsync({
      imports: [LimitsModule],
      inject: [RateLimitStore],
      // One throttler, since the storage counts minute and burst in one step. The guard gives it each credential's limit.
      useFactory: (storage: RateLimitStore) => ({ storage, throttlers: [{ limit: 0, ttl: minuteMs }] }),
    }),
  ],
  providers: [
    {
      provide: IdempotencyRecords,
      inject: [TenantDatabase, Keyring],
      useFactory: (database: TenantDatabase, keyring: Keyring) => new IdempotencyRecords(database, keyring),
    },
    ApprovalGate,
    AuditedOperations,
    IdempotentWrites,
    ItemBudget,
    LargeBodies,
    Namesakes,
    ModelBudget,
    AwaitedJobs,
    KnownRoutes,
    RecordStreams,
    {
      provide: RequestTurns,
      inject: [TenantDatabase],
      useFactory: (database: TenantDatabase) =>
        new RequestTurns(lateLoop, ahead, requestsInProgress, (orgId) => database.connectionsOf(orgId)),
    },
    ReferenceSight,
    Rehearsals,
    ShownRecords,
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: SheddingGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: AllowedAddressesGuard },
    { provide: APP_GUARD, useClass: TwoFactorGuard },
    { provide: APP_GUARD, useClass: ScopesGuard },
    { provide: APP_GUARD, useClass: ReachGuard },
    { provide: APP_INTERCEPTOR, useClass: OperationInterceptor },
    { provide: APP_FILTER, useClass: ErrorEnvelopeFilter },
  ],
  // The budget that the console shows, and the dependencies of the guards that its pages use again.
  exports: [HealthModule, ModelBudget, RequestTurns, ThrottlerModule],
})
export class EdgeModule {}
