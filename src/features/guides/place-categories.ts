export const placeCategories = ['food', 'shop', 'sight', 'activity', 'transport', 'health', 'other'] as const;
export type PlaceCategory = (typeof placeCategories)[number];
