import type { LetterSink } from '../letter-sink.js';
import type pg from 'pg';
import type { Attempt, Client } from '../client.js';
import type { ServiceProcess } from '../service-processes.js';

/** The environment of a vector: one process of the service with two organizations. */
export interface Stage {
  node: ServiceProcess;
  /** Without `/api/v1`. */
  url: string;
  attacker: Client;
  attackerKey: string;
  victim: Client;
  /** The address with which a person of the victim signs in. */
  person: string;
  /** As the database's owner, for records that would take a client long to create. */
  database: pg.Client;
  smtp: LetterSink;
  ops: (...words: string[]) => Promise<Record<string, string>>;
  /** Called when the round has ended. */
  onEnd: (close: () => unknown) => void;
}

/** Continues until the signal is aborted. */
export type Attack = (signal: AbortSignal) => Promise<unknown>;

/** What the victim waits for besides its requests. */
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
