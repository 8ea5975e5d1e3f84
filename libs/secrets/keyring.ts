import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** The service's own secrets, newest first; older ones still verify and decrypt what was created with them. */
export interface KeyringData {
  peppers: { version: number; secret: string }[];
  encryption: { version: number; secret: string }[];
}

const bytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const gcm = { authTagLength: tagBytes };

const made = (): { version: number; secret: string } => ({
  version: 1,
  secret: randomBytes(bytes).toString('base64'),
});

export const newKeyringData = (): KeyringData => ({ peppers: [made()], encryption: [made()] });

/** Hashes credentials with a versioned pepper (HMAC-SHA-256) and encrypts what must be readable again (AES-256-GCM). */
export class Keyring {
  private readonly peppers: { version: number; secret: KeyObject }[];
  private readonly encryption: { version: number; secret: KeyObject }[];

  constructor(data: KeyringData) {
    const decode = ({ version, secret }: { version: number; secret: string }) => ({
      version,
      // A key object, because raw bytes are imported again for each hash, which takes five times as long as the hash.
      secret: createSecretKey(secret, 'base64'),
    });
    this.peppers = data.peppers.map(decode);
    this.encryption = data.encryption.map(decode);
    if (!this.peppers[0] || !this.encryption[0]) throw new Error('The keyring is empty');
  }

  /** The hash to store for a new credential. */
  hash(secret: string): Buffer {
    return hmac(this.newest(this.peppers).secret, secret);
  }

  /** Every hash that a stored credential may have, newest pepper first. */
  hashes(secret: string): Buffer[] {
    return this.peppers.map((pepper) => hmac(pepper.secret, secret));
  }

  /** A key for one purpose, derived from the newest encryption key (HKDF, RFC 5869). */
  derive(purpose: string): KeyObject {
    return this.newest(this.deriveAll(purpose));
  }

  /** The keys for one purpose, newest first; the older ones still verify what they signed. */
  deriveAll(purpose: string): KeyObject[] {
    return this.encryption.map(({ secret }) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes))),
    );
  }

  /** Identifies a keyring without revealing it: stored beside the data that it decrypts. */
  get fingerprint(): string {
    return hmac(this.oldest(this.encryption).secret, 'fingerprint').toString('hex').slice(0, 16);
  }

  /** @param context binds the sealed text to its row: opened anywhere else it fails. */
  seal(text: string, context: string): Buffer {
    const { version, secret } = this.newest(this.encryption);
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', secret, nonce, gcm).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([version]), nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error if the text was sealed with an unknown key or for another context. */
  open(sealed: Buffer, context: string): string {
    const key = this.encryption.find(({ version }) => version === sealed[0]);
    if (!key) throw new Error(`No encryption key of version ${sealed[0]} is known`);
    const nonce = sealed.subarray(1, 1 + nonceBytes);
    const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes);
    const decipher = createDecipheriv('aes-256-gcm', key.secret, nonce, gcm)
      .setAAD(Buffer.from(context))
      .setAuthTag(tag);
    return decipher.update(sealed.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  }

  private newest<T>(keys: T[]): T {
    return keys[0] as T;
  }

  private oldest<T>(keys: T[]): T {
    return keys.at(-1) as T;
  }
}

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest();
