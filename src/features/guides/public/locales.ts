import { languageName } from '#locales';

/** Scripts that are written from right to left. */
const rightToLeft = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']);

export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  rightToLeft.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';

/** A language's name in that language: Português, العربية. */
export function ownNameOf(locale: string): string {
  const name = languageName(locale, locale);
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** The requested locale if it is offered, or else one of the same language. */
export function closestLocale(offered: readonly string[], asked: unknown): string | undefined {
  if (typeof asked !== 'string' || asked.length > 35) return undefined;
  try {
    const wanted = new Intl.Locale(asked);
    const isSameLanguage = (locale: string) => new Intl.Locale(locale).language === wanted.language;
    return offered.find((locale) => locale === wanted.toString()) ?? offered.find(isSameLanguage);
  } catch {
    return undefined;
  }
}
