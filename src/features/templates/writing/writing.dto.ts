import { ListOfObjects, OneOf, Text } from '#operations';
import { type TemplateCategory, templateCategories, TemplateVariable, ThisEmailTemplate } from '../template.dto.js';

const instruction = {
  about: 'What the model is to write, and in which language. Links are taken from here.',
  max: 10_000,
};
const variables = { about: 'What the Liquid may name, and nothing else.', max: 100 };

export class WriteEmailTemplate {
  @Text({
    ...instruction,
    example: 'Welcome guests in two warm sentences, say when they can check in, and wish them a good journey.',
  })
  instruction: string;

  @Text({ about: 'What it is called; the model chooses when left out.', max: 200, optional: true }) name?: string;

  @OneOf(templateCategories, { about: 'What it is for; transactional when left out.', optional: true })
  category?: TemplateCategory;

  @ListOfObjects(() => TemplateVariable, {
    about: 'What the Liquid may name, and nothing else; what the service knows of a stay when left out.',
    max: variables.max,
    optional: true,
  })
  variables?: TemplateVariable[];
}

export class ModifyEmailTemplate extends ThisEmailTemplate {
  @Text({ ...instruction, example: 'Make it shorter and more formal.' }) instruction: string;

  @ListOfObjects(() => TemplateVariable, {
    about: 'What the Liquid may name beside what the template declares.',
    max: variables.max,
    optional: true,
  })
  variables?: TemplateVariable[];
}
