import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { merging, type Page } from '#operations';
import { isSameValue } from '#persistence';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { Quotas } from '../../tenancy/quotas/quotas.service.js';
import { DraftsService } from './drafts.service.js';
import { errorsIn } from './lint.js';
import { contentOf } from './template-diff.js';
import type { DiffEmailTemplate, TemplateDiffView } from './template-preview.dto.js';
import type {
  GetEmailTemplate,
  ListEmailTemplates,
  PublishEmailTemplate,
  RollBackEmailTemplate,
  SaveEmailTemplate,
  UpdateEmailTemplate,
} from './template-changes.dto.js';
import type { EmailTemplateSummary, EmailTemplateView, VersionContent, VersionOrigin } from './template.dto.js';
import {
  type CheckedContent,
  type EmailTemplate,
  type EmailTemplateVersion,
  newTemplate,
  newVersion,
} from './template.entity.js';
import {
  notAnEarlierVersion,
  nothingToRollBackTo,
  templateHasErrors,
  templateIsArchived,
  templateIsNotPublished,
  templateNotFound,
  versionNotFound,
} from './templates.errors.js';
import {
  templateArchived,
  templateCreated,
  templatePublished,
  templateRolledBack,
  templateUpdated,
} from './templates.events.js';
import { TemplatesRepository } from './templates.repository.js';
import { TemplateWork } from './template-work.service.js';
import { checkVariables } from './variables.js';

/** A template with one of its versions. */
interface Shown {
  template: EmailTemplate;
  shown: EmailTemplateVersion;
}

/** Templates. Every change of the content is a new version, and publishing selects the version that is sent. */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly templates: TemplatesRepository,
    private readonly drafts: DraftsService,
    private readonly quotas: Quotas,
    private readonly work: TemplateWork,
    private readonly events: EventsService,
  ) {}

  list({ orgId }: Caller, input: ListEmailTemplates): Promise<Page<EmailTemplate>> {
    return this.templates.list(orgId, input);
  }

  async get({ orgId }: Caller, { templateId, templateVersion }: GetEmailTemplate): Promise<EmailTemplateView> {
    return await this.viewOf(await this.find(orgId, templateId, templateVersion));
  }

  async save(caller: Caller, input: SaveEmailTemplate, origin: VersionOrigin = 'given'): Promise<EmailTemplateView> {
    const { name, metadata = {}, externalRefs = [], ...given } = input;
    const { category = 'transactional', preheader = null, textBody = null, variables = [] } = given;
    const content = await this.checked(caller, { ...given, category, preheader, textBody, variables });
    const template = newTemplate(caller.orgId, { name, category, metadata, externalRefs });
    const shown = newVersion(caller, template, content, origin);
    await this.quotas.admit(caller, 'templates');
    await this.templates.insert(template, shown);
    this.events.record(caller, templateCreated, template);
    return await this.viewOf({ template, shown });
  }

  async update(
    caller: Caller,
    { templateId, name, metadata, externalRefs, ...given }: UpdateEmailTemplate,
    origin: VersionOrigin = 'given',
  ): Promise<EmailTemplateView> {
    const template = await this.changeable(caller, templateId);
    let shown = await this.version(template, template.latestVersion);
    const labels = { ...(name && { name }), ...(metadata && { metadata }), ...(externalRefs && { externalRefs }) };
    const isReworded = !isSameValue(contentOf(shown), { ...contentOf(shown), ...given });
    if (!isReworded) return await this.write(caller, { template, shown }, labels, templateUpdated);
    const content = await this.checked(caller, { ...contentOf(shown), ...given });
    const latestVersion = template.latestVersion + 1;
    shown = newVersion(caller, { ...template, latestVersion }, content, origin);
    await this.templates.addVersion(shown);
    const changes = { ...labels, latestVersion, category: content.category };
    return await this.write(caller, { template, shown }, changes, templateUpdated);
  }

  async diff({ orgId }: Caller, { templateId, from, to }: DiffEmailTemplate): Promise<TemplateDiffView> {
    const { template, shown } = await this.find(orgId, templateId, to);
    const before = await this.version(template, from);
    return { from, to: shown.number, changes: await this.work.differences(orgId, contentOf(before), contentOf(shown)) };
  }

  async publish(caller: Caller, { templateId, templateVersion }: PublishEmailTemplate): Promise<EmailTemplateView> {
    const template = await this.changeable(caller, templateId);
    const shown = await this.version(template, templateVersion ?? template.latestVersion);
    return await this.putOut(caller, { template, shown }, templatePublished);
  }

  async rollBack(caller: Caller, { templateId, templateVersion }: RollBackEmailTemplate): Promise<EmailTemplateView> {
    const template = await this.changeable(caller, templateId);
    const { orgId, publishedVersion, status } = template;
    if (publishedVersion === null) throw templateIsNotPublished(status);
    if (templateVersion !== undefined && templateVersion >= publishedVersion)
      throw notAnEarlierVersion(publishedVersion);
    const number = templateVersion ?? (await this.templates.publishedBefore(orgId, templateId, publishedVersion));
    if (number === undefined) throw nothingToRollBackTo();
    const shown = await this.version(template, number);
    return await this.putOut(caller, { template, shown }, templateRolledBack);
  }

  async archive(caller: Caller, templateId: string): Promise<EmailTemplateView> {
    const template = await this.changeable(caller, templateId, { archived: true });
    const shown = await this.version(template, template.latestVersion);
    if (template.status === 'archived') return await this.viewOf({ template, shown });
    return await this.write(caller, { template, shown }, { status: 'archived' }, templateArchived);
  }

  /** A version of a template: the latest unless another one is given. */
  async find(orgId: string, templateId: string, number?: number): Promise<Shown> {
    const template = await this.templates.find(orgId, templateId);
    if (!template) throw templateNotFound();
    return { template, shown: await this.version(template, number ?? template.latestVersion) };
  }

  /**
   * A template, locked until the transaction ends.
   *
   * @param archived whether an archived one is accepted.
   * @throws not_found_error, authorization_error, conflict_error if the caller cannot change it.
   */
  async changeable(caller: Caller, templateId: string, { archived = false } = {}): Promise<EmailTemplate> {
    const template = await this.templates.find(caller.orgId, templateId, 'for no key update');
    if (!template) throw templateNotFound();
    expectVersion(caller, template);
    if (template.status === 'archived' && !archived) throw templateIsArchived();
    return template;
  }

  private async checked({ orgId }: Caller, content: VersionContent): Promise<CheckedContent> {
    checkVariables(content.variables);
    return await this.drafts.check(orgId, content);
  }

  private async putOut(
    caller: Caller,
    { template, shown }: Shown,
    happened: ChangeType<EmailTemplateSummary>,
  ): Promise<EmailTemplateView> {
    const errors = errorsIn(shown.issues);
    if (errors.length > 0) throw templateHasErrors(errors);
    const { status, publishedVersion } = template;
    if (status === 'published' && publishedVersion === shown.number) return await this.viewOf({ template, shown });
    this.templates.notePublication(shown, new Date().toISOString());
    const changes = { status: 'published' as const, publishedVersion: shown.number };
    return await this.write(caller, { template, shown }, changes, happened);
  }

  private async write(
    caller: Caller,
    { template, shown }: Shown,
    changes: Partial<EmailTemplate>,
    happened: ChangeType<EmailTemplateSummary>,
  ): Promise<EmailTemplateView> {
    const before = await this.templates.update(template, merging(template, changes));
    this.events.record(caller, happened, template, before);
    return await this.viewOf({ template, shown });
  }

  private async version({ orgId, id }: EmailTemplate, number: number): Promise<EmailTemplateVersion> {
    const version = await this.templates.findVersion(orgId, id, number);
    if (!version) throw versionNotFound();
    return version;
  }

  private async viewOf({ template, shown }: Shown): Promise<EmailTemplateView> {
    const versions = await this.templates.listVersions(template.orgId, template.id);
    return { ...template, ...contentOf(shown), issues: shown.issues, templateVersion: shown.number, versions };
  }
}
