/** The address of a feature's page below /docs. The guides for guests are not those of the documentation. */
export const pageOf = (feature: string): string => (feature === 'guides' ? 'guest-guides' : feature);

/** `api-keys` → `API keys` */
export function titleOf(feature: string): string {
  const words = pageOf(feature)
    .replaceAll('-', ' ')
    .replace(/^api\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
