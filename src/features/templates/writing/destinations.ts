const addresses = /(?:\bhttps?:\/\/|\bwww\.|\/\/)(?:www\.)?([^\s/?#"'<>()\\]+)/gi;
/** A look behind keeps a long run from being tried anew at each of its characters. */
const emails = /(?<![^\s"'<>():,;])[^\s"'<>():,;]+@[^\s"'<>():,;/?]+/g;
const phones = /\btel:\s*([+\d][\d\s().-]*)/gi;

/**
 * Where a text leads whoever follows it: hosts, email addresses and telephone numbers. `https://known.example@other.example`
 * leads to the other, and counts as an address of its own.
 */
export const destinationsIn = (text: string): string[] => [
  ...Array.from(text.matchAll(addresses), ([, host = '']) => host.toLowerCase().replace(/(?<![.,;:!])[.,;:!]+$/, '')),
  ...Array.from(text.matchAll(emails), ([address]) => address.toLowerCase().replace(/(?<![.!])[.!]+$/, '')),
  ...Array.from(text.matchAll(phones), ([, number = '']) => `tel:${number.replaceAll(/\D/g, '')}`),
];
