import { type Mutant, mutantsOf, suite } from './mutant.js';

const rehearsal = (only: string) => suite('integration/edge/rehearsals', only);

/** What keeps a rehearsal without effects. */
export const rehearsals: Mutant[] = [
  ...mutantsOf('libs/persistence/database.ts', rehearsal('does not change the record'), {
    'a rehearsal is committed': [
      'finally {\n          await transaction.rollback();',
      'finally {\n          await transaction.commit();',
    ],
  }),
  ...mutantsOf('src/edge/writes/rehearsals.ts', rehearsal(''), {
    'a read is rehearsed': ["if (effect === 'read')", 'if (false)'],
    'a secret is shown': '...(showsSecret !== undefined && { [showsSecret]: null })',
    'effects that may not be read are shown': ['mayReadEvent(one, permissions)', 'true'],
  }),
  ...mutantsOf('src/features/devices/commands/device-commands.service.ts', rehearsal('work elsewhere'), {
    'a rehearsed command is sent': 'if (this.database.isRehearsing && isOpen(command)) return command;',
  }),
];
