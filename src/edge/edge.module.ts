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
import { AllowedAddressesGuard } from './guards/allowed-addresses.guard.js';
import { ApprovalGate } from './writes/approval-gate.js';
import { AuditedOperations } from './writes/audited-operations.js';
import { AuthenticationGuard } from './guards/authentication.guard.js';
import { AwaitedJobs } from './answers/awaited-jobs.js';
import { RecordStreams } from './answers/record-streams.js';
import { ReferenceSight } from './answers/reference-sight.js';
import { Rehearsals } from './writes/rehearsals.js';
import { ErrorEnvelopeFilter } from './answers/error-envelope.filter.js';
import { IdempotentWrites } from './writes/idempotent-writes.js';
import { ItemBudget } from './limits/item-budget.js';
import { LargeBodies } from './input/large-bodies.js';
import { LimitsModule } from './limits/limits.module.js';
import { Namesakes } from './input/namesakes.js';
import { ModelBudget } from './limits/model-budget.js';
import { OpenRequestsModule } from './overload/open-requests.module.js';
import { KnownRoutes } from './requests/known-routes.js';
import { LongOperations } from './overload/long-operations.js';
import { OperationInterceptor } from './operation.interceptor.js';
import { RateLimitGuard } from './limits/rate-limit.guard.js';
import { ReachGuard } from './guards/reach.guard.js';
import { RequestTurns } from './overload/request-turns.js';
import { ScopesGuard } from './guards/scopes.guard.js';
import { SheddingGuard } from './overload/shedding.guard.js';
import { ShownRecords } from './answers/shown-records.js';
import { TwoFactorGuard } from './guards/two-factor.guard.js';

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
        new RequestTurns(lateLoop, ahead, requestsInProgress, (orgId) => database.connections.usedBy(orgId)),
    },
    {
      provide: LongOperations,
      inject: [TenantDatabase],
      useFactory: (database: TenantDatabase) =>
        new LongOperations(ahead, (orgId) => database.connections.usedBy(orgId)),
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
  exports: [HealthModule, LargeBodies, ModelBudget, RequestTurns, ThrottlerModule],
})
export class EdgeModule {}
