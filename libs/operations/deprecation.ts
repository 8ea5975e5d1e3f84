/** Of an operation or a field of an input that will be removed, at the earliest twelve months after it was deprecated. */
export interface Deprecation {
  /** Since when, and when it may be removed: dates such as 2027-03-01. */
  readonly since: string;
  readonly sunset: string;
  /** What to use instead: a name. */
  readonly instead: string;
}

/** The sentence for the document, for tools and for readers. */
export const deprecationSentence = ({ since, sunset, instead }: Deprecation): string =>
  `Deprecated since ${since}, removed after ${sunset}: use ${instead}.`;

/** RFC 9745 and RFC 8594. */
export const deprecationHeaders = ({ since, sunset }: Deprecation): Record<string, string> => ({
  Deprecation: `@${Date.parse(since) / 1_000}`,
  Sunset: new Date(sunset).toUTCString(),
});
