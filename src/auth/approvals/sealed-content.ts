import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import type { Answer } from '#errors';
import type { Approval } from './approval.entity.js';

/** A request as it is carried out: its fields, and the version in If-Match. */
export interface AskedRequest {
  fields: object;
  ifMatch?: string;
}

type Row = Pick<Approval, 'orgId' | 'id'>;

/** What was requested and what was answered may be secret, so it is kept encrypted. */
@Injectable()
export class SealedContent {
  constructor(private readonly keyring: Keyring) {}

  sealRequest(row: Row, request: AskedRequest): Buffer {
    return this.keyring.seal(JSON.stringify(request), contextOf(row, 'request'));
  }

  request({ input, ...row }: Approval): AskedRequest {
    return JSON.parse(this.keyring.open(input as Buffer, contextOf(row, 'request'))) as AskedRequest;
  }

  sealAnswer(row: Row, answer: Answer): Buffer {
    return this.keyring.seal(JSON.stringify(answer), contextOf(row, 'response'));
  }

  /** Undefined before it is carried out, and a day afterwards. */
  answer({ response, ...row }: Approval): Answer | undefined {
    return response ? (JSON.parse(this.keyring.open(response, contextOf(row, 'response'))) as Answer) : undefined;
  }
}

const contextOf = ({ orgId, id }: Row, what: string): string => `approval ${what}:${orgId}:${id}`;
