import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOfObjects, Metadata, OneOf, Pattern, Text, Timestamp } from '#operations';
import { ExternalRef } from '../../organizations/external-ref.dto.js';
import { PageOf } from '../../../libs/operations/paging.js';

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

const maxBody = 100_000;
export const mostVersions = 2_147_483_647;

const key = {
  pattern: /^[a-zA-Z]\w*(\.[a-zA-Z]\w*){0,3}$/,
  max: 100,
  says: 'Give a name such as checkInDate or guest.name.',
  example: 'guest.name',
};
/** RFC 5322: a line break in a subject would begin another header. */
const oneLine = {
  pattern: /^[^\p{Cc}\u2028\u2029]*\S[^\p{Cc}\u2028\u2029]*$/u,
  max: 500,
  says: 'Give one line of text.',
};
const subject = { about: 'The subject, one line with Liquid.', ...oneLine, example: 'Welcome, {{ guest.name }}' };
const preheader = { about: 'What a mail program shows beside the subject, with Liquid.', ...oneLine };
const body = {
  about: 'MJML (from <mjml> on) or HTML, with Liquid: {{ guest.name }}. What Liquid puts out is escaped.',
  max: maxBody,
  example: '<p>Dear {{ guest.name }}, your place is ready.</p>',
};
const textBody = { about: 'The same as plain text, with Liquid; made from the body when left out.', max: maxBody };
const variables = { about: 'What the Liquid may name.', max: 100 };

export class TemplateVariable {
  @Pattern({ about: 'The name in the Liquid.', ...key }) key: string;
  @OneOf(variableTypes, { about: 'What it holds.' }) type: VariableType;
  @Flag({ about: 'Whether nothing is sent without it.', example: false }) required: boolean;

  @Text({
    about: 'What stands there when there is no value.',
    max: 500,
    optional: true,
    nullable: true,
    example: 'guest',
  })
  fallback?: string | null;
}

/** What a version of a template holds. */
class TemplateContent {
  @OneOf(templateCategories, {
    about: 'What it is for; transactional when left out. Marketing needs a link to {{ unsubscribeUrl }}.',
    optional: true,
  })
  category?: TemplateCategory;

  @Pattern(subject) subject: string;
  @Pattern({ ...preheader, optional: true, nullable: true }) preheader?: string | null;
  @Text(body) body: string;
  @Text({ ...textBody, optional: true, nullable: true }) textBody?: string | null;

  @ListOfObjects(() => TemplateVariable, {
    ...variables,
    optional: true,
    example: [{ key: 'guest.name', type: 'text', required: false, fallback: 'guest' }],
  })
  variables?: TemplateVariable[];
}

/** What a template is called and filed under, whichever version. */
class TemplateLabels {
  @Text({ about: 'What it is called.', max: 200, example: 'Welcome' }) name: string;
  @Metadata({ about: 'Your own keys and values.', optional: true }) metadata?: Record<string, string>;

  @ListOfObjects(() => ExternalRef, { about: 'What other systems call it.', optional: true, max: 20 })
  externalRefs?: ExternalRef[];
}

export class SaveEmailTemplate extends IntersectionType(TemplateLabels, TemplateContent) {}

export class ThisEmailTemplate {
  @Id('template', { about: 'The template.' }) templateId: string;
}

export class OfVersion extends ThisEmailTemplate {
  @Int({ about: 'Which version; the latest when left out.', optional: true, min: 1, max: mostVersions })
  templateVersion?: number;
}

export class GetEmailTemplate extends OfVersion {}

export class UpdateEmailTemplate extends IntersectionType(
  ThisEmailTemplate,
  PartialType(SaveEmailTemplate, { skipNullProperties: false }),
) {}

export class ListEmailTemplates extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @OneOf(templateStatuses, { about: 'Only templates of this status; all but archived when left out.', optional: true })
  status?: TemplateStatus;

  @OneOf(templateCategories, { about: 'Only templates whose latest version is for this.', optional: true })
  category?: TemplateCategory;

  @Timestamp({ about: 'Only templates that changed at this time or later.', optional: true })
  updatedSince?: string;
}

export class PublishEmailTemplate extends OfVersion {}

export class RollBackEmailTemplate extends ThisEmailTemplate {
  @Int({
    about: 'Which version; the one that was published before this one when left out.',
    optional: true,
    min: 1,
    max: mostVersions,
  })
  templateVersion?: number;
}

export const issueSeverities = ['error', 'warning'] as const;

export class TemplateIssue {
  @OneOf(issueSeverities, { about: 'An error stands in the way of publishing.' })
  severity: (typeof issueSeverities)[number];

  @Text({ about: 'Which rule.', max: 50 }) rule: string;
  @Text({ about: 'The field that it is about.', max: 50 }) field: string;
  @Text({ about: 'What is wrong and how to put it right.', max: 1_000 }) message: string;
}

export class TemplateVersionView {
  @Int({ about: 'Its number.', min: 1, max: mostVersions }) templateVersion: number;
  @OneOf(versionOrigins, { about: 'Whether its content was given or a model wrote it.' }) origin: VersionOrigin;
  @Id('member', { about: 'Who made it.' }) createdBy: string;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it was last published.', nullable: true }) publishedAt: string | null;
}

export class EmailTemplateView {
  @Id('template', { about: 'The template.' }) id: string;
  @Text({ about: 'What it is called.', max: 200 }) name: string;
  @OneOf(templateStatuses, { about: 'Whether it can be sent.' }) status: TemplateStatus;
  @Int({ about: 'The version that is shown here.', min: 1, max: mostVersions }) templateVersion: number;
  @Int({ about: 'The newest version.', min: 1, max: mostVersions }) latestVersion: number;
  @Int({ about: 'The version that is sent.', nullable: true, min: 1, max: mostVersions })
  publishedVersion: number | null;

  @OneOf(templateCategories, { about: 'What it is for.' }) category: TemplateCategory;
  @Text({ about: 'The subject, with Liquid.', max: 500 }) subject: string;
  @Text({ about: 'What is shown beside the subject.', max: 500, nullable: true }) preheader: string | null;
  @Text({ about: 'MJML or HTML, with Liquid.', max: maxBody }) body: string;
  @Text({ about: 'The same as plain text.', max: maxBody, nullable: true }) textBody: string | null;
  @ListOfObjects(() => TemplateVariable, variables) variables: TemplateVariable[];
  @ListOfObjects(() => TemplateIssue, { about: 'What lint finds in this version.', max: 200 }) issues: TemplateIssue[];
  @ListOfObjects(() => TemplateVersionView, { about: 'The versions, newest first, up to 50.', max: 50 })
  versions: TemplateVersionView[];

  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, { about: 'What other systems call it.', max: 20 }) externalRefs: ExternalRef[];
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: mostVersions }) version: number;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

/** A template in a list: without what it says. */
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

/** What a version holds, whole. */
export class VersionContent extends PickType(EmailTemplateView, [
  'category',
  'subject',
  'preheader',
  'body',
  'textBody',
  'variables',
] as const) {}
