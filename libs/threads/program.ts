import { parentPort } from 'node:worker_threads';
import { nameSourcesInTraces } from '#traces';
import { leaveCores } from './priority.js';

/** One piece of work, as it is sent to a thread. */
export interface Request {
  module: string;
  run: string;
  args: unknown[];
}

/** A module to load before the first job needs it. It gets no response. */
export type Preparation = Pick<Request, 'module'>;

/** What the thread sends back: first that the module is loaded, then how the work ended. */
export type Answer = { loaded: true } | { result: unknown } | { error: unknown };

/** A result with buffers that are moved out of the thread, because copying megabytes holds up who receives them. */
interface Moving {
  moved?: ArrayBuffer[];
}

leaveCores();
nameSourcesInTraces();

async function perform({ module, run, args }: Request): Promise<Answer> {
  try {
    const exported = (await import(module)) as Record<string, (...given: unknown[]) => unknown>;
    parentPort?.postMessage({ loaded: true } satisfies Answer);
    return { result: await exported[run]?.(...args) };
  } catch (error) {
    return { error };
  }
}

const movedBy = (answer: Answer): ArrayBuffer[] =>
  ('result' in answer && (answer.result as Moving | undefined)?.moved) || [];

parentPort?.on('message', (request: Request | Preparation) => {
  // A module that does not load fails the job that needs it.
  if (!('run' in request)) return void import(request.module).catch(() => undefined);
  void perform(request).then((answer) => parentPort?.postMessage(answer, movedBy(answer)));
});
