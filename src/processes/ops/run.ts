import type { INestApplicationContext } from '@nestjs/common';
import { type ErrorEnvelope, errorEnvelope, ServiceError } from '#errors';
import { version } from '../../platform/config/version.js';
import type { Printed } from './command.js';
import { commands, findCommand, helpOn } from './commands.js';
import { namingFlags, readFlags } from './flags.js';

/** Runs the command that the words say and answers what to print. */
export async function run(words: readonly string[], service: () => Promise<INestApplicationContext>): Promise<Printed> {
  const { name, flags } = parts(words);
  if (flags.includes('--help')) return { value: helpOn(name) };
  if (flags.includes('--version')) return { value: version };
  const command = findCommand(name);
  try {
    return await command.run(readFlags(command.input, flags), service);
  } catch (error) {
    throw namingFlags(error, command.input);
  }
}

export const givesWay = (words: readonly string[]): boolean =>
  commands.some(({ name, givesWay: isPatient }) => name === parts(words).name && isPatient === true);

/** The words before the first flag are the command's name. */
function parts(words: readonly string[]): { name: string; flags: readonly string[] } {
  const firstFlag = words.findIndex((word) => word.startsWith('--'));
  const length = firstFlag < 0 ? words.length : firstFlag;
  return { name: words.slice(0, length).join(' '), flags: words.slice(length) };
}

/** The API's envelope; an operator is told an unexpected error's own words, which a client is not. */
export function envelopeOf(error: unknown, words: readonly string[], requestId: string): ErrorEnvelope {
  const shown =
    error instanceof ServiceError
      ? error
      : new ServiceError({ status: 500, message: error instanceof Error ? error.message : String(error) });
  return errorEnvelope(shown, requestId, { service: 'ops', method: parts(words).name });
}
