import { ListOfObjects } from '#operations';
import { TemplateIssue } from './template.dto.js';

export class TemplateIssuesDetails {
  @ListOfObjects(() => TemplateIssue, { description: 'What to fix.', max: 1_000 }) issues: TemplateIssue[];
}
