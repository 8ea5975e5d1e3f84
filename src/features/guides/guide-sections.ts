import type { Issue } from '#errors';
import { newId } from '#persistence';
import type { Block, BlockKind, BlockView, Section, SectionView } from './guide-content.dto.js';
import { blockIsWrong } from './guides.errors.js';
import { isLink } from './links.js';

type Part = 'text' | 'steps' | 'url' | 'value';

/** The parts of each kind of block. */
const partsOf: Record<BlockKind, readonly Part[]> = {
  text: ['text'],
  steps: ['steps'],
  link: ['text', 'url'],
  fact: ['text', 'value'],
};
const parts: readonly Part[] = ['text', 'steps', 'url', 'value'];

/**
 * The sections as they are stored. Sections and blocks that the guide already has keep their ids, by which translations
 * find their texts; the others get new ids.
 *
 * @throws validation_error for a block that lacks a part of its kind or has an extra one.
 */
export function sectionsFrom(sections: readonly Section[], before: readonly SectionView[] = []): SectionView[] {
  const knownSections = new Set(before.map(({ id }) => id));
  const knownBlocks = new Set(before.flatMap(({ blocks }) => blocks.map(({ id }) => id)));
  return sections.map(({ id, title, audience = 'guest', blocks }, index) => ({
    id: kept(knownSections, id) ?? newId('section'),
    title,
    audience,
    blocks: blocks.map((block, at) => blockFrom(block, knownBlocks, ['sections', index, 'blocks', at])),
  }));
}

const kept = (known: Set<string>, id: string | undefined): string | undefined =>
  id !== undefined && known.delete(id) ? id : undefined;

function blockFrom(block: Block, known: Set<string>, path: Issue['path']): BlockView {
  const needed = partsOf[block.kind];
  for (const part of parts) {
    const isGiven = block[part] !== undefined && block[part].length > 0;
    if (isGiven === needed.includes(part)) continue;
    const advice = isGiven ? `omit ${part}` : `pass ${part}`;
    throw blockIsWrong([...path, part], `A block of kind ${block.kind} has ${needed.join(' and ')}: ${advice}.`);
  }
  if (block.url !== undefined && !isLink(block.url)) {
    throw blockIsWrong([...path, 'url'], 'Pass an address that begins with https:, http:, mailto: or tel:.');
  }
  return { ...block, id: kept(known, block.id) ?? newId('block') };
}
