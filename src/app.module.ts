import { type DynamicModule, Module } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeysModule } from './auth/api-keys/api-keys.module.js';
import { LeakedKeysModule } from './auth/api-keys/leaked/leaked-keys.module.js';
import { ApiKeysPageModule } from './auth/api-keys/pages/api-keys-page.module.js';
import { ApplicationsModule } from './auth/applications/applications.module.js';
import { ApplicationsPageModule } from './auth/applications/pages/applications-page.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { ConsentModule } from './auth/consent/consent.module.js';
import { OAuthModule } from './auth/oauth/oauth.module.js';
import { DevicesModule, PostedMessagesModule } from './devices/devices.module.js';
import { EdgeModule } from './edge/edge.module.js';
import { UnknownRouteController } from './edge/unknown-route.controller.js';
import { AuditEntriesModule } from './events/audit/audit-entries.module.js';
import { AuditModule } from './events/audit/audit.module.js';
import { EventsModule } from './events/events.module.js';
import { WebhooksModule } from './events/webhooks/webhooks.module.js';
import { CellModule } from './cell.service.js';
import { FirstStartModule } from './first-start.js';
import { GuidesModule, PublicGuidesModule } from './guides/guides.module.js';
import { HealthModule } from './health/health.module.js';
import { ModelsModule } from './models/models.module.js';
import { JobsModule } from './jobs.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { MessagesModule, UnsubscribeModule } from './messages/messages.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { PagesModule } from './pages/pages.module.js';
import { PersistenceModule } from './persistence.module.js';
import { CalendarsModule, ReservationsModule } from './reservations/reservations.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { type Surroundings, SurroundingsModule } from './surroundings.module.js';
import { AttachmentsModule, TasksModule } from './tasks/tasks.module.js';
import { TemplatesModule } from './templates/templates.module.js';
import { ThreadsModule } from './threads.module.js';
import { WorkflowsModule } from './workflows/workflows.module.js';

/** Features whose operations live under /api/v1. */
const features = [
  OrganizationsModule,
  ConnectionsModule,
  ReservationsModule,
  TasksModule,
  MessagesModule,
  TemplatesModule,
  GuidesModule,
  DevicesModule,
  WorkflowsModule,
  ApiKeysModule,
  ApplicationsModule,
  EventsModule,
  WebhooksModule,
  ModelsModule,
  AuditEntriesModule,
];

/**
 * Takes whatever no other route took, so it is imported last; modules with routes are imported here directly, because
 * Nest adds the routes of modules that only another module imports after these.
 */
@Module({ controllers: [UnknownRouteController] })
class UnknownRouteModule {}

/** The table of contents. */
@Module({})
export class AppModule {
  static of(surroundings: Surroundings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SurroundingsModule.of(surroundings),
        PersistenceModule,
        JobsModule,
        ThreadsModule,
        AuditModule,
        AuthModule,
        OAuthModule,
        ConsentModule,
        EdgeModule,
        PagesModule,
        AccountsModule,
        ApiKeysPageModule,
        ApplicationsPageModule,
        ...features,
        RouterModule.register(features.map((module) => ({ path: 'api/v1', module }))),
        LeakedKeysModule,
        AttachmentsModule,
        CalendarsModule,
        PostedMessagesModule,
        UnsubscribeModule,
        PublicGuidesModule,
        HealthModule,
        OpenApiModule,
        McpModule,
        CellModule,
        FirstStartModule,
        RetentionModule,
        MetricsModule,
        UnknownRouteModule,
      ],
    };
  }
}
