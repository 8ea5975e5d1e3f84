import ipaddr from 'ipaddr.js';

type Range = [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/** An IPv4 address within IPv6 (`::ffff:203.0.113.7`) counts as the IPv4 address; so do networks. */
function unmapped([network, bits]: Range): Range {
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
}

/** Undefined if the text is neither an address nor a range. IPv4 needs four decimal parts: `010.1` is ambiguous. */
function rangeOf(text: string): Range | undefined {
  const [address = '', ...rest] = text.split('/');
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !(ipaddr.IPv6.isValid(address) && !address.includes('%'))) {
    return undefined;
  }
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  if (rest.length === 0) return unmapped([parsed, most]);
  const bits = rest.length === 1 && /^\d{1,3}$/.test(rest[0] as string) ? Number(rest[0]) : Infinity;
  return bits <= most ? unmapped([parsed, bits]) : undefined;
}

/** Whether all of a range lies within another. */
const covers = ([network, bits]: Range, [inner, innerBits]: Range): boolean =>
  network.kind() === inner.kind() && bits <= innerBits && inner.match(network, bits);

/** The canonical form of an address or a range, as it is stored; undefined for any other text. */
export function canonicalRange(text: string): string | undefined {
  const range = rangeOf(text);
  if (!range) return undefined;
  const [network, bits] = range;
  return bits === (network.kind() === 'ipv4' ? 32 : 128) ? network.toString() : `${network.toString()}/${bits}`;
}

/** Whether an address, or a whole range, lies within one of the ranges. */
export function isWithinRanges(text: string | undefined, ranges: readonly string[]): boolean {
  const inner = rangeOf(text ?? '');
  return inner !== undefined && ranges.some((range) => covers(rangeOf(range) as Range, inner));
}

/** The display form of an address: IPv4 for an IPv4 address within IPv6. */
export const shownAddress = (address: string | undefined): string | null => canonicalRange(address ?? '') ?? null;
