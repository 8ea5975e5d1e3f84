import type { Issue } from '#errors';
import { newId } from '#persistence';
import type { Block, BlockKind, BlockView, Section, SectionView } from '../../guides/guide.dto.js';
import { blockIsWrong } from './guides.errors.js';
import { isLink } from './links.js';

type Part = 'text' | 'steps' | 'url' | 'value';

/** What a block of each kind is made of. */
const partsOf: Record<BlockKind, readonly Part[]> = {
  text: ['text'],
  steps: ['steps'],
  link: ['text', 'url'],
  fact: ['text', 'value'],
};
const parts: readonly Part[] = ['text', 'steps', 'url', 'value'];

/**
 * The sections as they are kept: sections and blocks that the guide already has keep their ids, by which translations
 * find their texts again; the others get one.
 *
 * @throws validation_error for a block that lacks a part of its kind or has one too many.
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
    const says = isGiven ? `leave ${part} out` : `give ${part}`;
    throw blockIsWrong([...path, part], `A block of kind ${block.kind} has ${needed.join(' and ')}: ${says}.`);
  }
  if (block.url !== undefined && !isLink(block.url)) {
    throw blockIsWrong([...path, 'url'], 'Give an address that begins with https:, http:, mailto: or tel:.');
  }
  return { ...block, id: kept(known, block.id) ?? newId('block') };
}
