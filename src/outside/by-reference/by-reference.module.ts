import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { ConnectionsModule } from '../connections/connections.module.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { BulkSaves } from './bulk-saves.service.js';
import { KnownSaves } from './known-saves.service.js';
import { NamedRecords } from './named-records.js';
import { NewSaves } from './new-saves.service.js';
import { PlaceReferencesController } from './places/place-references.controller.js';
import { PlaceSavers } from './places/place-savers.js';
import { PushConnections } from './push-connections.js';
import { SavesByReference } from './saves-by-reference.service.js';
import { UndoneSaves } from './undone-saves.service.js';

/** Records under the ids of other systems; features add the savers of their own records. */
@Module({
  imports: [EventsModule, OrganizationsModule, ConnectionsModule],
  controllers: [PlaceReferencesController],
  providers: [
    BulkSaves,
    KnownSaves,
    NamedRecords,
    NewSaves,
    PlaceSavers,
    PushConnections,
    SavesByReference,
    UndoneSaves,
  ],
  exports: [BulkSaves, PushConnections, SavesByReference],
})
export class ByReferenceModule {}
