import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Happening } from './happening.js';

/** Something that was sent because of events, and that no undo can take back. */
export interface WentOut {
  readonly target: { readonly type: string; readonly id: string };
  readonly reason: string;
}

/** What starts automatically once events have been committed, such as a workflow that writes to the guest. */
export interface Starter {
  /** What events would start, as sentences for a reader. */
  foresee(reader: Pick<Caller, 'orgId' | 'permissions'>, happened: readonly Happening[]): Promise<string[]>;
  /** What went out because of events. */
  wentOut(orgId: string, eventIds: readonly string[]): Promise<WentOut[]>;
}

/** What comes after events, outside of their transaction. Features add themselves. */
@Injectable()
export class Aftermath implements Starter {
  private readonly starters: Starter[] = [];

  add(starter: Starter): void {
    this.starters.push(starter);
  }

  async foresee(...asked: Parameters<Starter['foresee']>): Promise<string[]> {
    return (await Promise.all(this.starters.map((starter) => starter.foresee(...asked)))).flat();
  }

  async wentOut(...asked: Parameters<Starter['wentOut']>): Promise<WentOut[]> {
    return (await Promise.all(this.starters.map((starter) => starter.wentOut(...asked)))).flat();
  }
}
