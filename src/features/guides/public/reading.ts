import { variablesOf } from '../masks.js';
import { directionOf } from './locales.js';
import type { PublicContent } from './public-content.js';

/** A text as the page shows it, with its language if that is not the page's own. */
export interface ShownText {
  readonly text: string;
  readonly attributes: { lang?: string; dir?: 'ltr' | 'rtl' };
}

/** Reads a text of the guide in one language: the translation, or else the text as it was written. */
export type Read = (key: string, source: string) => ShownText;

/** Shown for a variable without a value here, because the page knows no guest. */
const unknown = '…';

const ownOf = <T>(record: Readonly<Record<string, T>>, name = ''): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export function readingIn({ sourceLocale, translations, variables }: PublicContent, locale: string): Read {
  const filled = (text: string): string =>
    text.replaceAll(/\{\{[^{}]*\}\}/g, (variable) => ownOf(variables, variablesOf(variable)[0]) ?? unknown);
  const inSource = locale === sourceLocale ? {} : { lang: sourceLocale, dir: directionOf(sourceLocale) };
  return (key, source) => {
    const translation = locale === sourceLocale ? undefined : ownOf(ownOf(translations, locale) ?? {}, key);
    return translation === undefined
      ? { text: filled(source), attributes: inSource }
      : { text: filled(translation), attributes: {} };
  };
}

export type Fragment = { kind: 'text' | 'code' | 'link'; text: string };

/** Separates links and text between backticks from the rest of a line. */
export const fragmentsOf = (line: string): Fragment[] =>
  line
    .split(/(`[^`]+`|https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'’»])/)
    .filter((text) => text !== '')
    .map((text) => {
      if (/^`.+`$/.test(text)) return { kind: 'code', text: text.slice(1, -1) };
      return { kind: /^https?:/.test(text) && URL.canParse(text) ? 'link' : 'text', text };
    });
