import type { LetterSink } from '../letter-sink.js';
import type pg from 'pg';
import type { Attempt, Client } from '../client.js';
import type { ServiceProcess } from '../service-processes.js';

/** Where a vector happens: one process of the service with two organizations. */
export interface Stage {
  node: ServiceProcess;
  /** Without `/api/v1`. */
  url: string;
  attacker: Client;
  attackerKey: string;
  victim: Client;
  /** The address that a person of the victim signs in with. */
  person: string;
  /** As the database's owner, for what would take a client long to fill in. */
  database: pg.Client;
  smtp: LetterSink;
  ops: (...words: string[]) => Promise<Record<string, string>>;
  /** Called when the round is over. */
  onEnd: (close: () => unknown) => void;
}

/** Continues until the signal is aborted. */
export type Attack = (signal: AbortSignal) => Promise<unknown>;

/** What the victim waits for beside its requests. */
export interface Wait {
  name: string;
  once: () => Promise<Pick<Attempt, 'startedAt' | 'endedAt' | 'status'>>;
}

export interface Vector {
  name: string;
  description: string;
  env?: Record<string, string>;
  prepare: (stage: Stage) => Promise<Attack>;
  waits?: (stage: Stage) => Promise<Wait>;
}
