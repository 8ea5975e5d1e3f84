import { Id, Int, ListOfObjects, OneOf, OpenObject, Text } from '#operations';
import { comparedFields } from './compared-fields.js';
import { OfVersion, ThisEmailTemplate } from './template-changes.dto.js';
import { mostVersions } from './template.dto.js';

export class RenderEmailTemplate extends OfVersion {
  @OpenObject({
    description:
      'Sample data: a value for each variable, nested by the dots of its name. Missing values are generated.',
    optional: true,
    example: { guest: { name: 'Ana' } },
  })
  data?: Record<string, unknown>;
}

export class SendTestEmail extends RenderEmailTemplate {
  @Id('member', { description: 'Recipient (member_…), from listMembers; default: you.', optional: true })
  memberId?: string;
}

export class RenderedEmail {
  @Int({ description: 'Version that was rendered.', min: 1, max: mostVersions }) templateVersion: number;
  @Text({ description: 'Rendered subject.', max: 1_000 }) subject: string;
  @Text({ description: 'Rendered HTML, as it would be sent.', max: 1_000_000 }) html: string;
  @Text({ description: 'Rendered plain text.', max: 1_000_000, min: 0 }) text: string;
}

export class DiffEmailTemplate extends ThisEmailTemplate {
  @Int({ description: 'First version to compare.', min: 1, max: mostVersions }) from: number;
  @Int({ description: 'Second version to compare; default: the latest.', optional: true, min: 1, max: mostVersions })
  to?: number;
}

export class FieldDiff {
  @OneOf(comparedFields, { description: 'Field that differs.' }) field: (typeof comparedFields)[number];
  @Text({ description: 'Unified diff of the field.', max: 500_000 }) patch: string;
}

export class TemplateDiffView {
  @Int({ description: 'First version.', min: 1, max: mostVersions }) from: number;
  @Int({ description: 'Second version.', min: 1, max: mostVersions }) to: number;
  @ListOfObjects(() => FieldDiff, { description: 'Fields that differ.', max: 6 }) changes: FieldDiff[];
}
