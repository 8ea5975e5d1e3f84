import { sheet } from './assets.js';

/** The sheet of all pages. */
export const style = sheet('style', new URL('./style/', import.meta.url), [
  'tokens',
  'text',
  'panels',
  'forms',
  'permissions',
  'places',
]);
