import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { MessagesModule } from '../../outside/messages/messages.module.js';
import { ModelsModule } from '../../outside/models/models.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { DraftsService } from './drafts.service.js';
import { RenderingsService } from './renderings.service.js';
import { TemplateWork } from './template-work.service.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesRepository } from './templates.repository.js';
import { TemplatesService } from './templates.service.js';
import { TemplateWriter } from './writing/template-writer.js';

@Module({
  imports: [EventsModule, MessagesModule, ModelsModule, OrganizationsModule],
  controllers: [TemplatesController],
  providers: [DraftsService, RenderingsService, TemplateWork, TemplatesRepository, TemplatesService, TemplateWriter],
  exports: [TemplatesService],
})
export class TemplatesModule {}
