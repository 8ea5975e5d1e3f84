const hasProtocol = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

export const isWebsite = (text: string): boolean => hasProtocol(text, ['https:', 'http:']);

/** Rejects anything that a browser would run instead of opening. */
export const isLink = (text: string): boolean => hasProtocol(text, ['https:', 'http:', 'mailto:', 'tel:']);
