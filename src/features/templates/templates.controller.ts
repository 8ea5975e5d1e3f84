import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import { RenderingsService } from './renderings.service.js';
import type { DiffEmailTemplate, RenderEmailTemplate, SendTestEmail } from './template-preview.dto.js';
import type {
  GetEmailTemplate,
  ListEmailTemplates,
  PublishEmailTemplate,
  RollBackEmailTemplate,
  SaveEmailTemplate,
  ThisEmailTemplate,
  UpdateEmailTemplate,
} from './template-changes.dto.js';
import {
  archiveEmailTemplate,
  diffEmailTemplate,
  getEmailTemplate,
  listEmailTemplates,
  publishEmailTemplate,
  renderEmailTemplate,
  rollBackEmailTemplate,
  saveEmailTemplate,
  sendTestEmail,
  updateEmailTemplate,
} from './templates.operations.js';
import { TemplatesService } from './templates.service.js';
import { TemplateWriter } from './writing/template-writer.js';
import type { ModifyEmailTemplate, WriteEmailTemplate } from './writing/writing.dto.js';
import { modifyEmailTemplate, writeEmailTemplate } from './writing/writing.operations.js';

@Controller()
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly renderings: RenderingsService,
    private readonly writer: TemplateWriter,
  ) {}

  @Handles(saveEmailTemplate) save(caller: Caller, input: SaveEmailTemplate) {
    return this.templates.save(caller, input);
  }

  @Handles(listEmailTemplates) list(caller: Caller, input: ListEmailTemplates) {
    return this.templates.list(caller, input);
  }

  @Handles(getEmailTemplate) get(caller: Caller, input: GetEmailTemplate) {
    return this.templates.get(caller, input);
  }

  @Handles(updateEmailTemplate) update(caller: Caller, input: UpdateEmailTemplate) {
    return this.templates.update(caller, input);
  }

  @Handles(renderEmailTemplate) render(caller: Caller, input: RenderEmailTemplate) {
    return this.renderings.preview(caller, input);
  }

  @Handles(diffEmailTemplate) diff(caller: Caller, input: DiffEmailTemplate) {
    return this.templates.diff(caller, input);
  }

  @Handles(publishEmailTemplate) publish(caller: Caller, input: PublishEmailTemplate) {
    return this.templates.publish(caller, input);
  }

  @Handles(rollBackEmailTemplate) rollBack(caller: Caller, input: RollBackEmailTemplate) {
    return this.templates.rollBack(caller, input);
  }

  @Handles(sendTestEmail) sendTest(caller: Caller, input: SendTestEmail) {
    return this.renderings.sendTest(caller, input);
  }

  @Handles(archiveEmailTemplate) archive(caller: Caller, { templateId }: ThisEmailTemplate) {
    return this.templates.archive(caller, templateId);
  }

  @Handles(writeEmailTemplate) write(caller: Caller, input: WriteEmailTemplate) {
    return this.writer.create(caller, input);
  }

  @Handles(modifyEmailTemplate) modify(caller: Caller, input: ModifyEmailTemplate) {
    return this.writer.modify(caller, input);
  }
}
