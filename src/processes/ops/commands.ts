import { invalidField } from '#errors';
import { fieldsOf } from '#operations';
import { apiKeyCommands } from './api-keys.commands.js';
import { applicationCommands } from './applications.commands.js';
import { approvalRuleCommands } from './approval-rules.commands.js';
import { auditCommands } from './audit.commands.js';
import { backupCommands } from './backup.commands.js';
import { type Command, NoFlags } from './command.js';
import { demoCommands } from './demo.commands.js';
import { flagOf } from './flags.js';
import { memberCommands } from './members.commands.js';
import { organizationCommands } from './organizations.commands.js';
import { organizationDataCommands } from './organization-data.commands.js';
import { propertyCommands } from './properties.commands.js';
import { regionsCommands } from './regions.commands.js';
import { roleCommands } from './roles.commands.js';
import { userCommands } from './users.commands.js';

const help: Command = {
  name: 'help',
  description: 'Lists the commands. With --json, each prints one JSON value; otherwise readable text.',
  input: NoFlags,
  run: () => Promise.resolve({ value: helpOn('') }),
};

/** Every command, in the order of `help`. */
export const commands: readonly Command[] = [
  ...organizationCommands,
  ...organizationDataCommands,
  ...userCommands,
  ...roleCommands,
  ...memberCommands,
  ...propertyCommands,
  ...apiKeyCommands,
  ...demoCommands,
  ...applicationCommands,
  ...approvalRuleCommands,
  ...auditCommands,
  ...backupCommands,
  ...regionsCommands,
  help,
];

/** @throws validation_error naming the commands that come close, or else all of them. */
export function findCommand(name: string): Command {
  const found = name === '' ? help : commands.find((command) => command.name === name);
  if (found) return found;
  const [subject] = name.split(' ');
  const close = commands.filter((command) => command.name.split(' ')[0] === subject);
  const names = (close.length > 0 ? close : commands).map((command) => command.name).join(', ');
  throw invalidField(['command'], `Unknown command "${name}". The commands are ${names}.`);
}

/** What `--help` behind a command prints: that command alone, or for its first word all that begin with it. */
export function helpOn(name: string): unknown {
  const about = commands.filter((command) => command.name === name || command.name.startsWith(`${name} `));
  return Object.fromEntries((about.length > 0 ? about : commands).map((command) => [command.name, explained(command)]));
}

function explained({ description, input }: Command): { description: string; flags: Record<string, string> } {
  const flags = fieldsOf(input).map(({ name, schema }) => [
    flagOf(name),
    `${schema.required === false ? '(optional) ' : ''}${schema.description as string}`,
  ]);
  return { description, flags: Object.fromEntries(flags) as Record<string, string> };
}
