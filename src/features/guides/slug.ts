import { randomBytes } from 'node:crypto';

/** An address out of a name: readable, and with an end that keeps two guides of one name apart. */
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
