import type { INestApplicationContext } from '@nestjs/common';
import { type Output, viewOf } from '#operations';
import { AuditService } from '../../platform/audit/audit.service.js';

/** An operator's command: a value, as an operation is. Its flags are the fields of its input in kebab case. */
export interface Command {
  /** One or two words: `org create`. */
  readonly name: string;
  /** One sentence for `help`. */
  readonly description: string;
  readonly input: new () => object;
  /** The fields that a person sees of a list, as a table; --json has all of them. */
  readonly columns?: readonly string[];
  /** Whether it takes long, in which case the running service gets priority for the processor. */
  readonly givesWay?: boolean;
  /** Returns the value to print. The service is started only by commands that ask for it. */
  readonly run: (input: object, service: () => Promise<INestApplicationContext>) => Promise<Printed>;
}

/** The input of a command without flags. */
export class NoFlags {}

/** What a command prints. */
export interface Printed {
  readonly value: unknown;
  readonly columns?: readonly string[];
  /** Whether the exit code is 1 although there is a value. */
  readonly isFailure?: boolean;
  /** Set by a command that keeps running after it has printed; resolves when it ends. Its caller reads one line. */
  readonly lasts?: Promise<void>;
}

interface CommandSpec<In extends object, Out> extends Omit<Command, 'input' | 'run'> {
  input: new () => In;
  /** Only fields of the view's class are printed. */
  output: Output<Out>;
  run: (service: INestApplicationContext, input: In) => Promise<Out>;
  isFailure?(this: void, result: Out): boolean;
}

/** A command that works on the service's data. What it changes is recorded as its doing: `ops org update`. */
export const command = <In extends object, Out>({
  output,
  run,
  isFailure,
  ...spec
}: CommandSpec<In, Out>): Command => ({
  ...spec,
  run: async (input, open) => {
    const service = await open();
    const act = { action: `ops ${spec.name}`, actor: { type: 'operator' as const } };
    const result = await service.get(AuditService).during(act, () => run(service, input as In));
    return { value: viewOf(output, result), columns: spec.columns, isFailure: isFailure?.(result) };
  },
});
