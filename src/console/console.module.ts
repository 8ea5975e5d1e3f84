import { Module } from '@nestjs/common';
import { ApprovalsPageModule } from '../auth/approvals-page/approvals-page.module.js';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { EdgeModule } from '../edge/edge.module.js';
import { OpenRequestsModule } from '../edge/overload/open-requests.module.js';
import { ReservationsModule } from '../features/reservations/reservations.module.js';
import { EventsModule } from '../platform/events/events.module.js';
import { UndoModule } from '../platform/undo/undo.module.js';
import { OrganizationsModule } from '../tenancy/organizations.module.js';
import { AuditExportController } from './frame/audit-export.controller.js';
import { BeyondOperations } from './frame/beyond-operations.js';
import { ConsoleEntryController } from './frame/console-entry.controller.js';
import { ConsoleController } from './frame/console.controller.js';
import { LiveController } from './frame/live.controller.js';

/** What administrators look at: pages over the same operations that programs call. */
@Module({
  imports: [
    AccountsModule,
    ApprovalsPageModule,
    EdgeModule,
    EventsModule,
    OpenRequestsModule,
    OrganizationsModule,
    ReservationsModule,
    UndoModule,
  ],
  controllers: [ConsoleEntryController, LiveController, AuditExportController, ConsoleController],
  providers: [BeyondOperations],
})
export class ConsoleModule {}
