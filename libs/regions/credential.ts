import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The regions of the service (Interface Specification, Endpoints). */
export const regions = ['us', 'eu', 'apac'] as const;
export type Region = (typeof regions)[number];

/** For people. */
export const regionNames: Record<Region, string> = {
  us: 'United States',
  eu: 'Europe',
  apac: 'Asia and Pacific',
};

export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 base62 digits hold 256 bits. */
const randomDigits = 43;
const checksumDigits = 6;

export const inBase62 = (value: bigint, digits: number): string => {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = base62.charAt(Number(rest % 62n)) + text;
  return text;
};

/** 256 random bits as 43 base62 digits. */
export const randomBase62 = (): string => inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomDigits);

const checksumOf = (text: string): string => inBase62(BigInt(crc32(text)), checksumDigits);

/** `sk_live_us_` + 43 random base62 digits + 6 of a CRC32, so that secret scanners can check a find offline. */
export function newApiKey(environment: Environment, region: Region): string {
  const body = `sk_${environment}_${region}_${randomBase62()}`;
  return body + checksumOf(body);
}

export interface ApiKeyParts {
  environment: Environment;
  /** Absent from a key that an operator chose (ADMIN_API_KEY). */
  region?: Region;
  /** False if the key has our format and a wrong checksum: it cannot be one of ours. */
  intact: boolean;
}

const apiKeyShape = /^sk_(live|test)_[A-Za-z0-9_]{24,255}$/;
const ownFormat = /^sk_(?:live|test)_(us|eu|apac)_[0-9A-Za-z]{49}$/;

/** What an API key reveals without a look-up; undefined if it is not an API key. */
export function readApiKey(key: string): ApiKeyParts | undefined {
  const environment = apiKeyShape.exec(key)?.[1] as Environment | undefined;
  if (!environment) return undefined;
  const region = ownFormat.exec(key)?.[1] as Region | undefined;
  if (!region) return { environment, intact: true };
  return { environment, region, intact: checksumOf(key.slice(0, -checksumDigits)) === key.slice(-checksumDigits) };
}
