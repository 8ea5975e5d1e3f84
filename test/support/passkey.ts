import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import pg from 'pg';
import type { Service } from './start-app.js';

interface Answered {
  /** As the page passed them to the browser. */
  options: { challenge: string; rpId: string };
  origin: string;
  counter: number;
  rpId?: string;
}

const digest = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** COSE_Key of ES256 (RFC 9053, section 2.1): a CBOR map of kty 2, alg -7, crv 1, x and y. */
function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const of = (coordinate: string): Buffer => Buffer.from(coordinate, 'base64url');
  const [start, next] = ['a5010203262001215820', '225820'].map((hex) => Buffer.from(hex, 'hex'));
  return Buffer.concat([start as Buffer, of(x), next as Buffer, of(y)]);
}

/** A passkey without a browser, which can also answer as a dishonest one would (WebAuthn Level 3, section 6.3.3). */
export class Passkey {
  readonly id = randomBytes(16).toString('base64url');
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** Inserts it where the person's registration would. */
  async enrol({ database }: Service, userId: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       values (gen_random_uuid(), $1::uuid, $2, $3, 1, '{}', 'Phone', now())`,
      [userId.slice('user_'.length), this.id, coseOf(this.keys.publicKey)],
    );
    await client.query('update users set has_second_factor = true where id = $1::uuid', [userId.slice(5)]);
    await client.end();
  }

  /** What the script of the page sends. */
  answer({ options, origin, counter, rpId = options.rpId }: Answered): string {
    const client = JSON.stringify({ type: 'webauthn.get', challenge: options.challenge, origin, crossOrigin: false });
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const isPresentAndVerified = Buffer.from([5]);
    const authenticator = Buffer.concat([digest(rpId), isPresentAndVerified, count]);
    const signature = sign('sha256', Buffer.concat([authenticator, digest(client)]), this.keys.privateKey);
    const [clientDataJSON, authenticatorData] = [Buffer.from(client), authenticator].map((one) =>
      one.toString('base64url'),
    );
    const response = { clientDataJSON, authenticatorData, signature: signature.toString('base64url') };
    return JSON.stringify({ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
