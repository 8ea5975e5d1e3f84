import { OrganizationsModule } from '../tenancy/organizations.module.js';
import { ConnectionsModule } from '../outside/connections/connections.module.js';
import { ByReferenceModule } from '../outside/by-reference/by-reference.module.js';
import { ReservationsModule } from '../features/reservations/reservations.module.js';
import { TasksModule } from '../features/tasks/tasks.module.js';
import { BoardsModule } from '../features/boards/boards.module.js';
import { MessagesModule } from '../outside/messages/messages.module.js';
import { TemplatesModule } from '../features/templates/templates.module.js';
import { GuidesModule } from '../features/guides/guides.module.js';
import { DevicesModule } from '../features/devices/devices.module.js';
import { WorkflowsModule } from '../features/workflows/workflows.module.js';
import { ApiKeysModule } from '../auth/api-keys/api-keys.module.js';
import { ApplicationsModule } from '../auth/applications/applications.module.js';
import { ApprovalsModule } from '../auth/approvals/approvals.module.js';
import { EventsModule } from '../platform/events/events.module.js';
import { WebhooksModule } from '../outside/webhooks/webhooks.module.js';
import { ModelsModule } from '../outside/models/models.module.js';
import { AuditEntriesModule } from '../platform/audit/audit-entries.module.js';
import { RequestsModule } from '../platform/requests/requests.module.js';
import { UndoModule } from '../platform/undo/undo.module.js';

/** The modules with operations, which live under /api/v1: the same in every process that has to know all of them. */
export const features = [
  OrganizationsModule,
  ConnectionsModule,
  ByReferenceModule,
  ReservationsModule,
  TasksModule,
  BoardsModule,
  MessagesModule,
  TemplatesModule,
  GuidesModule,
  DevicesModule,
  WorkflowsModule,
  ApiKeysModule,
  ApplicationsModule,
  ApprovalsModule,
  EventsModule,
  WebhooksModule,
  ModelsModule,
  AuditEntriesModule,
  RequestsModule,
  UndoModule,
];
