const hidden = /\p{Cf}+/gu;
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Where a mail program would take text for a link or an address. */
const linking = /(?<=\S)(?=[.:/@])|(?<=[.:/@])(?=\S)/g;
/** Shows nothing and breaks no line, but no name of a host and no address goes on behind it. */
const wordJoiner = '\u2060';

/**
 * What a tenant or a client wrote, as a letter of the service may show it: on one line, marked as a quotation, and so
 * that no mail program makes a link of it. A subject never holds it.
 */
export const quoted = (text: string): string =>
  `> ${text.replaceAll(hidden, '').replaceAll(breaks, ' ').replaceAll(linking, wordJoiner).trim()}`;
