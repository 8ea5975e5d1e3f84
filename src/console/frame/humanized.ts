/** `ratePerMinute` and `in_progress` as a person reads them, at the beginning of a sentence. */
export const humanized = (name: string): string => {
  const words = inWords(name);
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The same within a sentence. */
export const inWords = (name: string): string =>
  name
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/\bapi\b/g, 'API');
