import type { INestApplicationContext } from '@nestjs/common';
import { type Output, viewOf } from '#operations';

/** An operator's command: a value, as an operation is. Its flags are the fields of its input in kebab case. */
export interface Command {
  /** One or two words: `org create`. */
  readonly name: string;
  /** One sentence for `help`. */
  readonly about: string;
  readonly input: new () => object;
  /** Answers the value that is printed. The service is only brought up by commands that ask for it. */
  readonly run: (input: object, service: () => Promise<INestApplicationContext>) => Promise<unknown>;
}

interface CommandSpec<In extends object, Out> extends Omit<Command, 'input' | 'run'> {
  input: new () => In;
  /** Only fields of the view's class are printed. */
  output: Output<Out>;
  run: (service: INestApplicationContext, input: In) => Promise<Out>;
}

/** A command that works on the service's data. */
export const command = <In extends object, Out>({ output, run, ...spec }: CommandSpec<In, Out>): Command => ({
  ...spec,
  run: async (input, service) => viewOf(output, await run(await service(), input as In)),
});
