const hidden = /\p{Cf}+/gu;
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Where a mail program would recognize a link or an address. */
const linking = /(?<=\S)(?=[.:/@])|(?<=[.:/@])(?=\S)/g;
/** Invisible and without a line break, but it interrupts host names and addresses. */
const wordJoiner = '\u2060';

/**
 * Text of a tenant or a client, as a letter of the service may show it: on one line, marked as a quotation, and so that
 * no mail program turns it into a link. Never used in a subject.
 */
export const quoted = (text: string): string =>
  `> ${text.replaceAll(hidden, '').replaceAll(breaks, ' ').replaceAll(linking, wordJoiner).trim()}`;
