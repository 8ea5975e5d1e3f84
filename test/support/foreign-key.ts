import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}

/** A key in the service's format that no cell has issued, written independently of the service's code. */
export function foreignKey(environment: 'live' | 'test', region: 'us' | 'eu' | 'apac'): string {
  const body = `sk_${environment}_${region}_${base62(BigInt(`0x${randomBytes(31).toString('hex')}`), 43)}`;
  return body + base62(BigInt(crc32(body)), 6);
}
