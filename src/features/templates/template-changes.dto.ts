import {
  Id,
  Int,
  IntersectionType,
  ListOfObjects,
  Metadata,
  MetadataChange,
  OneOf,
  PageOf,
  PartialType,
  Pattern,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import {
  maxBody,
  mostVersions,
  templateCategories,
  type TemplateCategory,
  type TemplateStatus,
  templateStatuses,
  TemplateVariable,
  variables,
} from './template.dto.js';

/** RFC 5322: a line break in a subject would start another header. */
const oneLine = {
  pattern: /^[^\p{Cc}\u2028\u2029]*\S[^\p{Cc}\u2028\u2029]*$/u,
  max: 500,
  message: 'Pass one line of text.',
};
const subject = { description: 'Subject in one line, with Liquid.', ...oneLine, example: 'Welcome, {{ guest.name }}' };
const preheader = { description: 'Preview text that mail programs show next to the subject, with Liquid.', ...oneLine };
const body = {
  description: 'MJML (from <mjml> on) or HTML, with Liquid such as {{ guest.name }}. Values are escaped.',
  max: maxBody,
  example: '<p>Dear {{ guest.name }}, your place is ready.</p>',
};
const textBody = {
  description: 'Plain text with Liquid; by default made from the body.',
  max: maxBody,
};

/** The content of a version of a template. */
class TemplateContent {
  @OneOf(templateCategories, {
    description: 'Category; default: transactional. Marketing needs a link to {{ unsubscribeUrl }}.',
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

/** A template's name and filing, the same for all versions. */
class TemplateLabels {
  @Text({ description: 'Name of the template.', max: 200, example: 'Welcome' }) name: string;
  @Metadata({ description: 'Your own keys and values.', optional: true }) metadata?: Record<string, string>;

  @ListOfObjects(() => ExternalRef, { description: 'Ids of the template in other systems.', optional: true, max: 20 })
  externalRefs?: ExternalRef[];
}

export class SaveEmailTemplate extends IntersectionType(TemplateLabels, TemplateContent) {}

export class ThisEmailTemplate {
  @Id('template', { description: 'Template id (template_…), from listEmailTemplates.' }) templateId: string;
}

export class OfVersion extends ThisEmailTemplate {
  @Int({ description: 'Version; default: the latest.', optional: true, min: 1, max: mostVersions })
  templateVersion?: number;
}

export class GetEmailTemplate extends OfVersion {}

export class UpdateEmailTemplate extends IntersectionType(ThisEmailTemplate, PartialType(SaveEmailTemplate)) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;
}

export class ListEmailTemplates extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @OneOf(templateStatuses, {
    description: 'Only templates with this status; default: all except archived ones.',
    optional: true,
  })
  status?: TemplateStatus;

  @OneOf(templateCategories, { description: 'Only templates whose latest version has this category.', optional: true })
  category?: TemplateCategory;

  @Timestamp({ description: 'Only templates changed at or after this time.', optional: true })
  updatedSince?: string;
}

export class PublishEmailTemplate extends OfVersion {}

export class RollBackEmailTemplate extends ThisEmailTemplate {
  @Int({
    description: 'Version to publish again; default: the one published before the current one.',
    optional: true,
    min: 1,
    max: mostVersions,
  })
  templateVersion?: number;
}
