import { ListOfObjects, OneOf, Text } from '#operations';
import { ThisEmailTemplate } from '../template-changes.dto.js';
import { type TemplateCategory, templateCategories, TemplateVariable } from '../template.dto.js';

const instruction = {
  description: 'What the model should write, and in which language. The email contains only links from this text.',
  max: 10_000,
};
const variables = { description: 'Variables that the Liquid can use.', max: 100 };

export class WriteEmailTemplate {
  @Text({
    ...instruction,
    example: 'Welcome guests in two warm sentences, say when they can check in, and wish them a good journey.',
  })
  instruction: string;

  @Text({ description: 'Name of the template; by default the model chooses one.', max: 200, optional: true })
  name?: string;

  @OneOf(templateCategories, { description: 'Category; default: transactional.', optional: true })
  category?: TemplateCategory;

  @ListOfObjects(() => TemplateVariable, {
    description: 'Variables that the Liquid can use; default: those that the service fills from a stay.',
    max: variables.max,
    optional: true,
  })
  variables?: TemplateVariable[];
}

export class ModifyEmailTemplate extends ThisEmailTemplate {
  @Text({ ...instruction, example: 'Make it shorter and more formal.' }) instruction: string;

  @ListOfObjects(() => TemplateVariable, {
    description: 'Variables that the Liquid can use, in addition to those of the template.',
    max: variables.max,
    optional: true,
  })
  variables?: TemplateVariable[];
}
