import { type DynamicModule, Module } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { LeakedKeysModule } from '../auth/api-keys/leaked/leaked-keys.module.js';
import { ApiKeysPageModule } from '../auth/api-keys-page/api-keys-page.module.js';
import { ApprovalsPageModule } from '../auth/approvals-page/approvals-page.module.js';
import { ApplicationsPageModule } from '../auth/applications-page/applications-page.module.js';
import { AuthModule } from '../auth/bearer/auth.module.js';
import { ClockModule } from '../platform/clock/clock.module.js';
import { LeavingModule } from '../auth/leaving/leaving.module.js';
import { OrganizationPageModule } from '../auth/organization-page/organization-page.module.js';
import { PortabilityModule } from './portability/portability.module.js';
import { SignUpModule } from '../auth/sign-up/sign-up.module.js';
import { ConsoleModule } from '../console/console.module.js';
import { ConsentModule } from '../auth/consent/consent.module.js';
import { OAuthModule } from '../auth/oauth/oauth.module.js';
import { PostedMessagesModule } from '../features/devices/devices.module.js';
import { EdgeModule } from '../edge/edge.module.js';
import { UnknownRouteController } from '../edge/requests/unknown-route.controller.js';
import { AuditModule } from '../platform/audit/audit.module.js';
import { CellModule } from './cell.service.js';
import { FirstStartModule } from './first-start.js';
import { InclusionsModule } from './inclusions.module.js';
import { features } from './features.js';
import { FollowersModule } from './followers.module.js';
import { PublicGuidesModule } from '../features/guides/guides.module.js';
import { HealthModule } from '../platform/health/health.module.js';
import { JobsModule } from './jobs.module.js';
import { OpenApiModule } from '../doors/openapi/openapi.module.js';
import { ReferenceModule } from '../doors/reference/reference.module.js';
import { FrontModule } from '../doors/front/front.module.js';
import { McpModule } from '../doors/mcp/mcp.module.js';
import { UnsubscribeModule } from '../outside/messages/messages.module.js';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { PagesModule } from '../platform/pages/pages.module.js';
import { PersistenceModule } from './persistence.module.js';
import { CalendarsModule } from '../features/reservations/reservations.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { type Environment, EnvironmentModule } from './environment.module.js';
import { AttachmentsModule } from '../features/tasks/tasks.module.js';
import { ThreadsModule } from './threads.module.js';

/**
 * Handles requests that no other route accepts, so it is imported last; modules with routes are imported here directly,
 * because Nest adds the routes of modules that only another module imports after these.
 */
@Module({ controllers: [UnknownRouteController] })
class UnknownRouteModule {}

/** The table of contents. */
@Module({})
export class AppModule {
  static of(environment: Environment): DynamicModule {
    const offered = environment.config.environment === 'test' ? [...features, ClockModule] : features;
    return {
      module: AppModule,
      imports: [
        EnvironmentModule.of(environment),
        PersistenceModule,
        JobsModule,
        ThreadsModule,
        AuditModule,
        FollowersModule,
        InclusionsModule,
        AuthModule,
        OAuthModule,
        ConsentModule,
        EdgeModule,
        // In front of the other routes, because Express tries one after the other, and every tool call goes to this one.
        McpModule,
        PagesModule,
        AccountsModule,
        SignUpModule,
        LeavingModule,
        OrganizationPageModule,
        ApiKeysPageModule,
        ApplicationsPageModule,
        ApprovalsPageModule,
        ...offered,
        RouterModule.register(offered.map((module) => ({ path: 'api/v1', module }))),
        LeakedKeysModule,
        AttachmentsModule,
        CalendarsModule,
        PostedMessagesModule,
        UnsubscribeModule,
        PublicGuidesModule,
        HealthModule,
        OpenApiModule,
        ReferenceModule,
        FrontModule,
        ConsoleModule,
        CellModule,
        FirstStartModule,
        RetentionModule,
        PortabilityModule,
        MetricsModule,
        UnknownRouteModule,
      ],
    };
  }
}
