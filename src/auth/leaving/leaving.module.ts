import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { InvitationsModule } from '../../tenancy/members/invitations.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApplicationKeysModule } from '../api-keys/application-keys.module.js';
import { Departures } from './departures.service.js';
import { LeavingController } from './leaving.controller.js';

@Module({
  imports: [AccountsModule, ApplicationKeysModule, EventsModule, InvitationsModule, MailModule, OrganizationsModule],
  controllers: [LeavingController],
  providers: [Departures],
})
export class LeavingModule {}
