import type { SectionView } from '../../../guides/guide.dto.js';
import type { Place } from '../places/place.entity.js';

export type PublicPlace = Pick<
  Place,
  'id' | 'name' | 'category' | 'note' | 'address' | 'geo' | 'phone' | 'website' | 'openingHours' | 'attribution'
>;

/** What guests read, whole: nothing is looked up when the page is asked for, and nothing but this can be on it. */
export interface PublicContent {
  readonly name: string;
  readonly sourceLocale: string;
  /** The languages beside it that the page is offered in. */
  readonly targetLocales: readonly string[];
  /** Those for guests. */
  readonly sections: readonly SectionView[];
  /** The approved ones. */
  readonly places: readonly PublicPlace[];
  /** By locale and key of the text. */
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What variables stand for, such as property.name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The facts of a place that guests see, and none of ours. */
export const publicPlace = (place: Place): PublicPlace => {
  const { id, name, category, note, address, geo, phone, website, openingHours, attribution } = place;
  return { id, name, category, note, address, geo, phone, website, openingHours, attribution };
};
