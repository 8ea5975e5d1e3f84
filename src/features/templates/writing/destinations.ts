const addresses = /(?:\bhttps?:\/\/|\bwww\.|\/\/)(?:www\.)?([^\s/?#"'<>()\\]+)/gi;
/** The lookbehind keeps a long run from being tried again at each of its characters. */
const emails = /(?<![^\s"'<>():,;])[^\s"'<>():,;]+@[^\s"'<>():,;/?]+/g;
const phones = /\btel:\s*([+\d][\d\s().-]*)/gi;

/**
 * The destinations of a text's links: hosts, email addresses and telephone numbers.
 * `https://known.example@other.example` leads to the other host, and counts as an address of its own.
 */
export const destinationsIn = (text: string): string[] => [
  ...Array.from(text.matchAll(addresses), ([, host = '']) => host.toLowerCase().replace(/(?<![.,;:!])[.,;:!]+$/, '')),
  ...Array.from(text.matchAll(emails), ([address]) => address.toLowerCase().replace(/(?<![.!])[.!]+$/, '')),
  ...Array.from(text.matchAll(phones), ([, number = '']) => `tel:${number.replaceAll(/\D/g, '')}`),
];
