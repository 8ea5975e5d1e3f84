import { invalidField, type Issue } from '#errors';

/**
 * A language tag in its canonical spelling (BCP 47): pt-pt → pt-PT.
 *
 * @throws validation_error at that place of the input for an invalid language tag.
 */
export function canonicalLocale(locale: string, path: Issue['path']): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] as string;
  } catch {
    throw invalidField(path, 'Pass a BCP 47 language tag such as pt-PT.');
  }
}

/** The same of a list, each language once. */
export const canonicalLocales = (locales: readonly string[], field = 'locales'): string[] => [
  ...new Set(locales.map((locale, index) => canonicalLocale(locale, [field, index]))),
];

/** What a language is called in a language. Extensions of its tag have no names: de-DE-u-co-phonebk is German (Germany). */
export function languageName(locale: string, inLocale: string): string {
  const { baseName } = new Intl.Locale(locale);
  return new Intl.DisplayNames([inLocale], { type: 'language' }).of(baseName) ?? baseName;
}
