import type { SectionView } from '../guide-content.dto.js';
import type { Place } from '../places/place.entity.js';

export type PublicPlace = Pick<
  Place,
  'id' | 'name' | 'category' | 'note' | 'address' | 'geo' | 'phone' | 'website' | 'openingHours' | 'attribution'
>;

/** The complete content for guests. Serving the page looks nothing else up, so nothing else can appear on it. */
export interface PublicContent {
  readonly name: string;
  readonly sourceLocale: string;
  /** The other languages of the page. */
  readonly targetLocales: readonly string[];
  /** Those for guests. */
  readonly sections: readonly SectionView[];
  /** The approved ones. */
  readonly places: readonly PublicPlace[];
  /** By locale and key of the text. */
  readonly translations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The values of variables, such as property.name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The facts of a place that guests see, without internal ones. */
export const publicPlace = (place: Place): PublicPlace => {
  const { id, name, category, note, address, geo, phone, website, openingHours, attribution } = place;
  return { id, name, category, note, address, geo, phone, website, openingHours, attribution };
};
