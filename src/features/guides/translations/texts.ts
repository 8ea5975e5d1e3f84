import { createHash } from 'node:crypto';
import type { SectionView } from '../guide-content.dto.js';

/** A text of a guide that is read in every language, with the key that its translations use. */
export interface GuideText {
  readonly key: string;
  readonly text: string;
  /** The hash of the text. A translation with another hash belongs to an earlier wording. */
  readonly hash: string;
}

/** A guide's content, or the public part of it. */
export interface GuideContent {
  readonly name: string;
  readonly sections: readonly SectionView[];
  readonly places: readonly { readonly id: string; readonly note: string | null }[];
}

/** The key of each text. A key is valid for as long as its section, block or place exists. */
export const textKey = {
  name: 'name',
  title: (sectionId: string): string => `${sectionId}.title`,
  text: (blockId: string): string => `${blockId}.text`,
  step: (blockId: string, index: number): string => `${blockId}.steps.${index}`,
  note: (placeId: string): string => `${placeId}.note`,
};

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Every text to translate, in reading order. Links, values of facts and facts of places are the same everywhere. */
export function textsOf({ name, sections, places }: GuideContent): GuideText[] {
  return [
    textOf(textKey.name, name),
    ...sections.flatMap(({ id, title, blocks }) => [
      textOf(textKey.title(id), title),
      ...blocks.flatMap((block) => [
        ...(block.text === undefined ? [] : [textOf(textKey.text(block.id), block.text)]),
        ...(block.steps ?? []).map((step, index) => textOf(textKey.step(block.id, index), step)),
      ]),
    ]),
    ...places.flatMap((place) => (place.note === null ? [] : [textOf(textKey.note(place.id), place.note)])),
  ];
}

const textOf = (key: string, text: string): GuideText => ({ key, text, hash: hashOf(text) });
