import { randomBytes } from 'node:crypto';

/** Derives an address from a name. Its random end distinguishes two guides of the same name. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
  return `${words || 'guide'}-${randomBytes(4).toString('hex')}`;
}
