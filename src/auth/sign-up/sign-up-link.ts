import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';

/** What somebody typed before their address was proven. */
export interface Applicant {
  email: string;
  name: string;
}

const worksForMs = 24 * 3_600_000;
const purpose = 'sign-up link';

/** The mailed link contains what was typed, sealed, so that nothing is stored before the address is proven. */
@Injectable()
export class SignUpLink {
  constructor(private readonly keyring: Keyring) {}

  seal({ email, name }: Applicant): string {
    const until = Date.now() + worksForMs;
    return this.keyring.seal(JSON.stringify({ email, name, until }), purpose).toString('base64url');
  }

  /** Undefined for a link that has expired or is not ours. */
  open(token: string): Applicant | undefined {
    try {
      const { until, ...applicant } = JSON.parse(
        this.keyring.open(Buffer.from(token, 'base64url'), purpose),
      ) as Applicant & { until: number };
      return Date.now() < until ? applicant : undefined;
    } catch {
      return undefined;
    }
  }
}
