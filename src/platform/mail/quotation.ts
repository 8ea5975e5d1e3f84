const hidden = /\p{Cf}+/gu;
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Where a mail program would recognize a link or an address; also dots and the like of other scripts (UTS 46). */
const linking = /(?<=\S)(?=[.。．｡:：/／@＠])|(?<=[.。．｡:：/／@＠])(?=\S)/g;
/** Invisible and without a line break, but it interrupts host names and addresses. */
const wordJoiner = '\u2060';

/** For a header: some mail programs decode what is encoded there before they look for the end of the line. */
export const onOneLine = (text: string): string => text.replaceAll(breaks, ' ');

/**
 * Text of a tenant or a client, as a letter of the service may show it: on one line, marked as a quotation, and so that
 * no mail program turns it into a link. Never used in a subject.
 */
export const quoted = (text: string): string =>
  `> ${onOneLine(text.replaceAll(hidden, '')).replaceAll(linking, wordJoiner).trim()}`;
