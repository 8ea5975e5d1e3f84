import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import { RenderingsService } from './renderings.service.js';
import type { DiffEmailTemplate, RenderEmailTemplate, SendTestEmail } from '../../templates/template-preview.dto.js';
import type {
  GetEmailTemplate,
  ListEmailTemplates,
  PublishEmailTemplate,
  RollBackEmailTemplate,
  SaveEmailTemplate,
  ThisEmailTemplate,
  UpdateEmailTemplate,
} from './template.dto.js';
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

  @Handles(saveEmailTemplate) save(input: SaveEmailTemplate, caller: Caller) {
    return this.templates.save(caller, input);
  }

  @Handles(listEmailTemplates) list(input: ListEmailTemplates, caller: Caller) {
    return this.templates.list(caller, input);
  }

  @Handles(getEmailTemplate) get(input: GetEmailTemplate, caller: Caller) {
    return this.templates.get(caller, input);
  }

  @Handles(updateEmailTemplate) update(input: UpdateEmailTemplate, caller: Caller) {
    return this.templates.update(caller, input);
  }

  @Handles(renderEmailTemplate) render(input: RenderEmailTemplate, caller: Caller) {
    return this.renderings.preview(caller, input);
  }

  @Handles(diffEmailTemplate) diff(input: DiffEmailTemplate, caller: Caller) {
    return this.templates.diff(caller, input);
  }

  @Handles(publishEmailTemplate) publish(input: PublishEmailTemplate, caller: Caller) {
    return this.templates.publish(caller, input);
  }

  @Handles(rollBackEmailTemplate) rollBack(input: RollBackEmailTemplate, caller: Caller) {
    return this.templates.rollBack(caller, input);
  }

  @Handles(sendTestEmail) sendTest(input: SendTestEmail, caller: Caller) {
    return this.renderings.sendTest(caller, input);
  }

  @Handles(archiveEmailTemplate) archive({ templateId }: ThisEmailTemplate, caller: Caller) {
    return this.templates.archive(caller, templateId);
  }

  @Handles(writeEmailTemplate) write(input: WriteEmailTemplate, caller: Caller) {
    return this.writer.create(caller, input);
  }

  @Handles(modifyEmailTemplate) modify(input: ModifyEmailTemplate, caller: Caller) {
    return this.writer.modify(caller, input);
  }
}
