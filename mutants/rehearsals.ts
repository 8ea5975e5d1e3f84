import { type Mutant, mutantsOf, suite } from './mutant.js';

const rehearsal = (only: string) => suite('integration/edge/rehearsals', only);

/** What keeps a rehearsal without effects. */
export const rehearsals: Mutant[] = [
  ...mutantsOf('libs/persistence/database.ts', rehearsal('does not change the record'), {
    'a dry run is committed': [
      'finally {\n          await transaction.rollback();',
      'finally {\n          await transaction.commit();',
    ],
  }),
  ...mutantsOf('src/edge/writes/rehearsals.ts', rehearsal(''), {
    'a dry run of a read is accepted': ["if (effect === 'read')", 'if (false)'],
    'a dry run shows a secret': '...(showsSecret !== undefined && { [showsSecret]: null })',
    'a dry run shows effects that the caller may not read': ['mayReadEvent(one, permissions)', 'true'],
  }),
  ...mutantsOf('src/edge/input/misplaced-dry-run.ts', rehearsal('another place'), {
    'a dry run in another place or spelling is an unknown field': ["if (effect === 'read')", 'if (true)'],
    'a dry run in _meta without its prefix is ignored': ["effect !== 'read' && ", 'false && '],
    'a read is refused for what a client has in _meta': ["effect !== 'read' && ", ''],
  }),
  ...mutantsOf('src/features/devices/commands/device-commands.service.ts', rehearsal('work elsewhere'), {
    'a dry run sends a device command': 'if (this.database.isRehearsing && isOpen(command)) return command;',
  }),
];
