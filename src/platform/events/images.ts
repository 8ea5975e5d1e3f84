export type Fields = Record<string, unknown>;

/** A record's fields before and after a change; null if there was, or is, no record. */
export interface Images {
  before: Fields | null;
  after: Fields | null;
}
