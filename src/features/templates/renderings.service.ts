import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Caller } from '#access';
import { newId } from '#persistence';
import type { Message } from '../../outside/messages/message.entity.js';
import { MessagesService } from '../../outside/messages/messages.service.js';
import { MessageTemplates, type Rendered, type TemplateRenderer } from '../../outside/messages/message-templates.js';
import { MembersRepository } from '../../tenancy/members/members.repository.js';
import type { RenderedEmail, RenderEmailTemplate, SendTestEmail } from './template-preview.dto.js';
import type { EmailTemplateVersion } from './template.entity.js';
import { callerHasNoAddress, memberNotFound, templateIsArchived, templateIsNotPublished } from './templates.errors.js';
import { TemplateWork } from './template-work.service.js';
import { TemplatesService } from './templates.service.js';
import { scopeOf } from './variables.js';

type Data = Record<string, unknown>;

/** Renders templates, for previews and for messages to guests. */
@Injectable()
export class RenderingsService implements TemplateRenderer, OnModuleInit {
  constructor(
    private readonly templates: TemplatesService,
    private readonly messages: MessagesService,
    private readonly messageTemplates: MessageTemplates,
    private readonly members: MembersRepository,
    private readonly work: TemplateWork,
  ) {}

  onModuleInit(): void {
    this.messageTemplates.register(this);
  }

  async preview({ orgId }: Caller, input: RenderEmailTemplate): Promise<RenderedEmail> {
    const { shown } = await this.templates.find(orgId, input.templateId, input.templateVersion);
    const { templateVersion, content } = await this.sampleOf(shown, input.data);
    return { templateVersion, ...content };
  }

  async render(orgId: string, templateId: string, data: Data): Promise<Rendered> {
    const { template } = await this.templates.find(orgId, templateId);
    const { status, publishedVersion } = template;
    if (status !== 'published' || publishedVersion === null) throw templateIsNotPublished(status);
    const { shown } = await this.templates.find(orgId, templateId, publishedVersion);
    return await this.renderedOf(shown, scopeOf(shown.variables, data, { sampled: false }));
  }

  /** The message commits with the request. It goes to the caller or another member, never to a guest. */
  async sendTest(caller: Caller, { templateId, templateVersion, data, memberId }: SendTestEmail): Promise<Message> {
    const { template, shown } = await this.templates.find(caller.orgId, templateId, templateVersion);
    if (template.status === 'archived') throw templateIsArchived();
    const member = await this.members.find(caller.orgId, memberId ?? caller.memberId);
    if (!member || member.status !== 'active') throw memberNotFound();
    if (member.email === null) throw callerHasNoAddress();
    const { content, ...rendered } = await this.sampleOf(shown, data);
    return await this.messages.queue(caller, {
      to: { memberId: member.id },
      dedupeKey: newId('test'),
      rendered: { ...rendered, content: { ...content, subject: `[Test] ${content.subject}` } },
      test: true,
    });
  }

  private sampleOf(version: EmailTemplateVersion, data: Data = {}): Promise<Rendered> {
    return this.renderedOf(version, scopeOf(version.variables, data, { sampled: true }));
  }

  private async renderedOf(version: EmailTemplateVersion, scope: Data): Promise<Rendered> {
    const { orgId, templateId, number, category, subject, preheader, html, textBody } = version;
    return {
      templateId,
      templateVersion: number,
      marketing: category === 'marketing',
      content: await this.work.render(orgId, { subject, preheader, html, textBody }, scope),
    };
  }
}
