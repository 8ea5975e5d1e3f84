import ipaddr from 'ipaddr.js';

/** Who is counted by an address: of IPv6 a whole /64, which one site has to itself. */
export function sourceOf(ip = ''): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toNormalizedString().split(':').slice(0, 4).join(':');
}
