import { type Mutant, mutantsOf } from './mutant.js';

/** What keeps one organization's work out of the way of all others. */
export const neighbours: Mutant[] = [
  ...mutantsOf('libs/fair-queue/fair-queue.ts', 'unit/fair-queue/fair-queue', {
    'an owner goes on until it has nothing left': [
      '      this.turns.delete(owner);',
      '      if (items.length === 0) this.turns.delete(owner);',
    ],
    'an owner may have any number of items in progress': 'if (inProgress >= this.mostInProgress) continue;',
    'an item that is over still counts': ['this.inProgressOf(owner) - 1', 'this.inProgressOf(owner)'],
  }),
];
