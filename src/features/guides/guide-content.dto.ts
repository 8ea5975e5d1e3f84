import { ListOf, ListOfObjects, OneOf, Text } from '#operations';

export const audiences = ['guest', 'staff'] as const;
export type Audience = (typeof audiences)[number];

export const blockKinds = ['text', 'steps', 'link', 'fact'] as const;
export type BlockKind = (typeof blockKinds)[number];

export class Block {
  @Text({
    description: 'Id of an existing block, to keep its translations; omit it for a new one.',
    max: 64,
    optional: true,
  })
  id?: string;

  @OneOf(blockKinds, {
    description: 'text: a paragraph. steps: a list of actions in order. link: text and url. fact: text and value.',
  })
  kind: BlockKind;

  @Text({
    description: 'The paragraph, the text of the link, or the label of the fact. {{property.name}} is replaced.',
    max: 5_000,
    optional: true,
    example: 'Breakfast is served in the garden.',
  })
  text?: string;

  @ListOf({ text: 1_000 }, { description: 'Steps in order; only for kind steps.', max: 50, optional: true })
  steps?: string[];

  @Text({
    description: 'Address of the link (https, http, mailto or tel); only for kind link.',
    max: 2_000,
    optional: true,
  })
  url?: string;

  @Text({
    description: 'Value that is never translated, such as a code or a password; only for kind fact.',
    max: 500,
    optional: true,
  })
  value?: string;
}

export class Section {
  @Text({
    description: 'Id of an existing section, to keep its translations; omit it for a new one.',
    max: 64,
    optional: true,
  })
  id?: string;

  @Text({ description: 'Heading of the section.', max: 200, example: 'Welcome' })
  title: string;

  @OneOf(audiences, {
    description: 'guest: shown on the public page. staff: never shown there. Default: guest.',
    optional: true,
  })
  audience?: Audience;

  @ListOfObjects(() => Block, { description: 'Content of the section, in order.', max: 50, min: 1 })
  blocks: Block[];
}

export class BlockView {
  @Text({ description: 'Block id.', max: 64 }) id: string;
  @OneOf(blockKinds, { description: 'Kind of block.' }) kind: BlockKind;
  @Text({ description: 'Text of the block.', max: 5_000, optional: true }) text?: string;
  @ListOf({ text: 1_000 }, { description: 'Steps in order.', max: 50, optional: true }) steps?: string[];
  @Text({ description: 'Address of the link.', max: 2_000, optional: true }) url?: string;
  @Text({ description: 'Value that is never translated.', max: 500, optional: true }) value?: string;
}

export class SectionView {
  @Text({ description: 'Section id.', max: 64 }) id: string;
  @Text({ description: 'Heading of the section.', max: 200 }) title: string;
  @OneOf(audiences, { description: 'Who can read the section.' }) audience: Audience;
  @ListOfObjects(() => BlockView, { description: 'Content of the section, in order.', max: 50 }) blocks: BlockView[];
}
