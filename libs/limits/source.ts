import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

const networkBytes = { ipv4: 3, ipv6: 6 };

/** The canonical form of an address; an IPv4 address within IPv6 counts as that IPv4 address. */
export const addressOf = (ip: string): string => parsed(ip)?.toString() ?? ip;

/** The network of an address: /24 of IPv4, /48 of IPv6. */
export function networkOf(ip: string): string {
  const address = parsed(ip);
  if (!address) return ip;
  const kind = address.kind();
  return `${kind} ${address.toByteArray().slice(0, networkBytes[kind]).join('.')}`;
}

export const isLoopback = (ip: string): boolean => parsed(ip)?.range() === 'loopback';

const parsed = (ip: string): IPv4 | IPv6 | undefined => (ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined);

/** The source that limits count: for IPv6 a whole /64, because one site controls all of it. */
export function sourceOf(ip = ''): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toNormalizedString().split(':').slice(0, 4).join(':');
}
