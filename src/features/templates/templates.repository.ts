import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, idColumn, Table, TenantDatabase, uuidIn } from '#persistence';
import type { ListEmailTemplates } from './template-changes.dto.js';
import type { TemplateVersionView } from './template.dto.js';
import { EmailTemplate, EmailTemplateVersion } from './template.entity.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};
const ids = { member: idColumn('member') };
const mostVersionsShown = 50;

@Injectable()
export class TemplatesRepository {
  private readonly templates: Table<EmailTemplate>;
  private readonly versions: Table<EmailTemplateVersion>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.templates = new Table(database, EmailTemplate, cursors);
    this.versions = new Table(database, EmailTemplateVersion, cursors);
  }

  find(orgId: string, templateId: string, tail = ''): Promise<EmailTemplate | undefined> {
    return this.templates.findOne(orgId, this.templates.where(orgId).and('id = ?', uuidIn(templateId)), tail);
  }

  findVersion(orgId: string, templateId: string, number: number): Promise<EmailTemplateVersion | undefined> {
    const where = this.versions.where(orgId).and('template_id = ?', uuidIn(templateId)).and('number = ?', number);
    return this.versions.findOne(orgId, where);
  }

  /** The number of the version that was published before another one. */
  async publishedBefore(orgId: string, templateId: string, number: number): Promise<number | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `select number from email_template_versions
        where org_id = $1 and template_id = $2 and number < $3 and published_at is not null
        order by published_at desc, number desc limit 1`,
      [uuidIn(orgId), uuidIn(templateId), number],
    );
    return row?.number as number | undefined;
  }

  async listVersions(orgId: string, templateId: string): Promise<TemplateVersionView[]> {
    const rows = await this.database.rows(
      orgId,
      `select number, origin, created_by, created_at, published_at from email_template_versions
        where org_id = $1 and template_id = $2 order by number desc limit ${mostVersionsShown}`,
      [uuidIn(orgId), uuidIn(templateId)],
    );
    return rows.map((row) => ({
      templateVersion: row.number as number,
      origin: row.origin as TemplateVersionView['origin'],
      createdBy: ids.member.from(row.created_by) as string,
      createdAt: row.created_at as string,
      publishedAt: row.published_at as string | null,
    }));
  }

  list(orgId: string, filters: ListEmailTemplates): Promise<Page<EmailTemplate>> {
    const { status, category, updatedSince, limit, cursor, sort } = filters;
    const where = this.templates
      .where(orgId)
      .when(status, 'status = ?')
      .when(category, 'category = ?')
      .since(updatedSince);
    if (status === undefined && updatedSince === undefined) where.and(`status <> 'archived'`);
    return this.templates.page(orgId, where, { limit, cursor, sort }, sortable);
  }

  async insert(template: EmailTemplate, version: EmailTemplateVersion): Promise<void> {
    await this.templates.insert(template);
    await this.versions.insert(version);
  }

  addVersion(version: EmailTemplateVersion): Promise<EmailTemplateVersion> {
    return this.versions.insert(version);
  }

  update(template: EmailTemplate, changes: Partial<EmailTemplate>): Promise<EmailTemplate> {
    return this.templates.update(template, changes);
  }

  notePublication({ orgId, templateId, number }: EmailTemplateVersion, publishedAt: string): void {
    this.database.defer(
      orgId,
      'update email_template_versions set published_at = $4 where org_id = $1 and template_id = $2 and number = $3',
      [uuidIn(orgId), uuidIn(templateId), number, publishedAt],
    );
  }
}
