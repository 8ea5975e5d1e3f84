import { Id, Int, ListOfObjects, OneOf, OpenObject, Text } from '#operations';
import { comparedFields } from '../features/templates/compared-fields.js';
import { mostVersions, OfVersion, ThisEmailTemplate } from '../features/templates/template.dto.js';

export class RenderEmailTemplate extends OfVersion {
  @OpenObject({
    about: 'Sample data: a value for each variable, nested by the dots of its name. What is missing is made up.',
    optional: true,
    example: { guest: { name: 'Ana' } },
  })
  data?: Record<string, unknown>;
}

export class SendTestEmail extends RenderEmailTemplate {
  @Id('member', { about: 'Who gets it; you yourself when left out.', optional: true }) memberId?: string;
}

export class RenderedEmail {
  @Int({ about: 'The version that was rendered.', min: 1, max: mostVersions }) templateVersion: number;
  @Text({ about: 'The subject.', max: 1_000 }) subject: string;
  @Text({ about: 'The HTML as it would be sent.', max: 1_000_000 }) html: string;
  @Text({ about: 'The plain text beside it.', max: 1_000_000, min: 0 }) text: string;
}

export class DiffEmailTemplate extends ThisEmailTemplate {
  @Int({ about: 'The version that is compared.', min: 1, max: mostVersions }) from: number;
  @Int({ about: 'With this one; the latest when left out.', optional: true, min: 1, max: mostVersions }) to?: number;
}

export class FieldDiff {
  @OneOf(comparedFields, { about: 'The field.' }) field: (typeof comparedFields)[number];
  @Text({ about: 'A unified diff of it.', max: 500_000 }) patch: string;
}

export class TemplateDiffView {
  @Int({ about: 'The version that is compared.', min: 1, max: mostVersions }) from: number;
  @Int({ about: 'With this one.', min: 1, max: mostVersions }) to: number;
  @ListOfObjects(() => FieldDiff, { about: 'The fields that differ.', max: 6 }) changes: FieldDiff[];
}
