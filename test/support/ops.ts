import { ServiceError } from '#errors';
import { run } from '../../src/processes/ops/run.js';
import { createService } from '../../src/processes/ops/service.js';
import type { Json } from './api.js';
import type { Service } from './start-app.js';

export interface Ops {
  /** Runs a command written as on a command line; put values with spaces in double quotes. Returns its output. */
  (command: string): Promise<Json>;
  close(): Promise<void>;
}

/** Operators' commands on a service's data, in this process. */
export async function startOps({ config, keyring, database }: Service): Promise<Ops> {
  const service = await createService({ config, keyring, databaseUrl: database.url });
  const ops = async (command: string): Promise<Json> => {
    const words = command.match(/"[^"]*"|\S+/g) ?? [];
    const { value } = await run(
      words.map((word) => word.replaceAll('"', '')),
      () => Promise.resolve(service),
    );
    return JSON.parse(JSON.stringify(value)) as Json;
  };
  return Object.assign(ops, { close: () => service.close() });
}

/** The error that a command ends with. */
export async function refusalOf(command: Promise<unknown>): Promise<ServiceError> {
  const error = await command.then(
    (value) => new Error(`The command printed ${JSON.stringify(value)}`),
    (refusal: unknown) => refusal,
  );
  if (error instanceof ServiceError) return error;
  throw error;
}
