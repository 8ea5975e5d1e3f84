import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Caller } from '#access';
import { idColumn, newId } from '#persistence';
import type { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import type {
  EmailTemplateSummary,
  TemplateCategory,
  TemplateIssue,
  TemplateStatus,
  TemplateVariable,
  VersionContent,
  VersionOrigin,
} from './template.dto.js';

@Entity('email_templates')
export class EmailTemplate implements EmailTemplateSummary {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('template') }) id: string;
  @Column('text') name: string;
  /** From the latest version, so that lists can be filtered by it. */
  @Column('text') category: TemplateCategory;
  @Column('text') status: TemplateStatus;
  @Column('integer') latestVersion: number;
  @Column('integer', { nullable: true }) publishedVersion: number | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('jsonb') externalRefs: ExternalRef[];
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

/** A version's content, compiled and checked. */
export interface CheckedContent extends VersionContent {
  html: string;
  issues: TemplateIssue[];
}

/** The content of a template from some moment on. Only its publication time may change. */
@Entity('email_template_versions')
export class EmailTemplateVersion implements CheckedContent {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('template') }) templateId: string;
  @PrimaryColumn('integer') number: number;
  @Column('text') category: TemplateCategory;
  @Column('text') subject: string;
  @Column('text', { nullable: true }) preheader: string | null;
  @Column('text') body: string;
  @Column('text', { nullable: true }) textBody: string | null;
  @Column('jsonb') variables: TemplateVariable[];
  /**
   * The body as HTML with its Liquid, compiled once so that sending compiles nothing. Empty if it cannot be compiled.
   */
  @Column('text') html: string;
  @Column('jsonb') issues: TemplateIssue[];
  @Column('text') origin: VersionOrigin;
  @Column('uuid', { transformer: idColumn('member') }) createdBy: string;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz', { nullable: true }) publishedAt: string | null;
}

type Given = Pick<EmailTemplate, 'name' | 'category' | 'metadata' | 'externalRefs'>;

export function newTemplate(orgId: string, given: Given): EmailTemplate {
  const now = new Date().toISOString();
  return Object.assign(new EmailTemplate(), {
    ...given,
    orgId,
    id: newId('template'),
    status: 'draft' as const,
    latestVersion: 1,
    publishedVersion: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}

export const newVersion = (
  { memberId }: Caller,
  { orgId, id, latestVersion }: EmailTemplate,
  content: CheckedContent,
  origin: VersionOrigin,
): EmailTemplateVersion =>
  Object.assign(new EmailTemplateVersion(), {
    ...content,
    orgId,
    templateId: id,
    number: latestVersion,
    origin,
    createdBy: memberId,
    createdAt: new Date().toISOString(),
    publishedAt: null,
  });
