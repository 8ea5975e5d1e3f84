/** `ratePerMinute` and `in_progress` as a person reads them. */
export const humanized = (name: string): string => {
  const words = name.replaceAll(/[_-]/g, ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
