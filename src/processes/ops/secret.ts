import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { invalidField } from '#errors';
import { asking } from './progress.js';

/**
 * A password that is not part of the command, where the list of processes and the shell's history would show it: asked
 * for twice at a terminal, and otherwise the first line of standard input.
 *
 * @throws validation_error if nothing comes, or two that differ.
 */
export async function readPassword(): Promise<string> {
  const password = await asking(() => (process.stdin.isTTY ? typedTwice() : firstLine()));
  if (password === '')
    throw invalidField(['password'], 'Type a password, or pipe one: echo "$PASSWORD" | npm run -s ops -- …');
  return password;
}

async function typedTwice(): Promise<string> {
  const password = await typed('Password: ');
  if ((await typed('Once more: ')) !== password) throw invalidField(['password'], 'The two passwords differ.');
  return password;
}

/** Without showing what is typed. */
async function typed(prompt: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // From here on the terminal shows nothing of what is typed.
  process.stderr.write(prompt);
  const [line = ''] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as string[];
  lines.close();
  process.stderr.write('\n');
  return line;
}

async function firstLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}
