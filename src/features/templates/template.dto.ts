import {
  Flag,
  Id,
  Int,
  ListOfObjects,
  Metadata,
  OmitType,
  OneOf,
  Pattern,
  PickType,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRef } from '../../tenancy/references/external-ref.dto.js';

export const templateStatuses = ['draft', 'published', 'archived'] as const;
export type TemplateStatus = (typeof templateStatuses)[number];

export const templateCategories = [
  'transactional',
  'pre_arrival',
  'in_stay',
  'post_stay',
  'marketing',
  'other',
] as const;
export type TemplateCategory = (typeof templateCategories)[number];

export const variableTypes = ['text', 'number', 'boolean', 'date', 'url', 'list'] as const;
export type VariableType = (typeof variableTypes)[number];

export const versionOrigins = ['given', 'model'] as const;
export type VersionOrigin = (typeof versionOrigins)[number];

export const maxBody = 100_000;
export const mostVersions = 2_147_483_647;

const key = {
  pattern: /^[a-zA-Z]\w*(\.[a-zA-Z]\w*){0,3}$/,
  max: 100,
  message: 'Pass a name such as checkInDate or guest.name.',
  example: 'guest.name',
};

export const variables = { description: 'Variables that the Liquid can use.', max: 100 };

export class TemplateVariable {
  @Pattern({ description: 'Name of the variable in the Liquid.', ...key }) key: string;
  @OneOf(variableTypes, { description: 'Type of the value.' }) type: VariableType;
  @Flag({ description: 'Whether the message is only sent if the variable has a value.', example: false })
  required: boolean;

  @Text({
    description: 'Text to use if there is no value.',
    max: 500,
    optional: true,
    nullable: true,
    example: 'guest',
  })
  fallback?: string | null;
}

export const issueSeverities = ['error', 'warning'] as const;

export class TemplateIssue {
  @OneOf(issueSeverities, { description: 'error: must be fixed before publishing. warning: should be checked.' })
  severity: (typeof issueSeverities)[number];

  @Text({ description: 'Rule that was violated.', max: 50 }) rule: string;
  @Text({ description: 'Field with the problem.', max: 50 }) field: string;
  @Text({ description: 'What is wrong and how to fix it.', max: 1_000 }) message: string;
}

export class TemplateVersionView {
  @Int({ description: 'Version number.', min: 1, max: mostVersions }) templateVersion: number;
  @OneOf(versionOrigins, { description: 'Whether a person or program wrote the content, or a model.' })
  origin: VersionOrigin;
  @Id('member', { description: 'Member who created the version (member_…).' }) createdBy: string;
  @Timestamp({ description: 'When the version was created.' }) createdAt: string;
  @Timestamp({ description: 'When the version was last published.', nullable: true }) publishedAt: string | null;
}

export class EmailTemplateView {
  @Id('template', { description: 'Template id (template_…).' }) id: string;
  @Text({ description: 'Name of the template.', max: 200 }) name: string;
  @OneOf(templateStatuses, { description: 'Status of the template; only a published one is sent.' })
  status: TemplateStatus;
  @Int({ description: 'Version that is shown here.', min: 1, max: mostVersions }) templateVersion: number;
  @Int({ description: 'Latest version.', min: 1, max: mostVersions }) latestVersion: number;
  @Int({ description: 'Published version.', nullable: true, min: 1, max: mostVersions })
  publishedVersion: number | null;

  @OneOf(templateCategories, { description: 'Category.' }) category: TemplateCategory;
  @Text({ description: 'Subject, with Liquid.', max: 500 }) subject: string;
  @Text({ description: 'Preview text, with Liquid.', max: 500, nullable: true }) preheader: string | null;
  @Text({ description: 'MJML or HTML, with Liquid.', max: maxBody }) body: string;
  @Text({ description: 'Plain text, with Liquid.', max: maxBody, nullable: true }) textBody: string | null;
  @ListOfObjects(() => TemplateVariable, variables) variables: TemplateVariable[];
  @ListOfObjects(() => TemplateIssue, { description: 'Lint findings of this version.', max: 200 })
  issues: TemplateIssue[];
  @ListOfObjects(() => TemplateVersionView, { description: 'Latest 50 versions, newest first.', max: 50 })
  versions: TemplateVersionView[];

  @Metadata({ description: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, { description: 'Ids of the template in other systems.', max: 20 })
  externalRefs: ExternalRef[];
  @Int({
    description: 'Version of the record, increased by every change; send it as If-Match.',
    min: 1,
    max: mostVersions,
  })
  version: number;
  @Timestamp({ description: 'When the template was created.' }) createdAt: string;
  @Timestamp({ description: 'When the template was last changed.' }) updatedAt: string;
}

/** A template in a list, without its content. */
export class EmailTemplateSummary extends OmitType(EmailTemplateView, [
  'templateVersion',
  'subject',
  'preheader',
  'body',
  'textBody',
  'variables',
  'issues',
  'versions',
] as const) {}

/** A version's complete content. */
export class VersionContent extends PickType(EmailTemplateView, [
  'category',
  'subject',
  'preheader',
  'body',
  'textBody',
  'variables',
] as const) {}
