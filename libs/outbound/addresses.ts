import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is on the public internet: not loopback, private, link-local, carrier-grade NAT, multicast,
 * documentation or reserved (IANA special-purpose registries), and no IPv6 form that contains an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo), which could hide any of these.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

/** What an operator permits in addition to public https: host names, addresses and CIDR ranges. */
export class AllowedDestinations {
  private readonly hosts = new Set<string>();
  private readonly ranges: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];

  /** @throws Error naming the entry that is not a host, address or CIDR range. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      if (ipaddr.isValidCIDR(entry)) this.ranges.push(ipaddr.parseCIDR(entry));
      else if (ipaddr.isValid(entry)) this.ranges.push(single(entry));
      else if (/^[a-z0-9.-]+$/i.test(entry)) this.hosts.add(entry.toLowerCase());
      else throw new Error(`OUTBOUND_ALLOW takes hosts and CIDR ranges; "${entry}" is neither.`);
    }
  }

  get hasRanges(): boolean {
    return this.ranges.length > 0;
  }

  hasHost(host: string): boolean {
    return this.hosts.has(host);
  }

  hasAddress(address: string): boolean {
    const parsed = ipaddr.parse(address);
    return this.ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  }
}

const single = (address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  const parsed = ipaddr.parse(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
};
