const hasProtocol = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.includes(new URL(text).protocol);

export const isWebsite = (text: string): boolean => hasProtocol(text, ['https:', 'http:']);

/** Anything that a browser would run instead of going there is no link. */
export const isLink = (text: string): boolean => hasProtocol(text, ['https:', 'http:', 'mailto:', 'tel:']);
