import type { MessageContent } from '../../outside/messages/message-templates.js';
import { letterOf } from './letter.js';
import { lint } from './lint.js';
import { readLiquid } from './liquid.js';
import { differences } from './template-diff.js';
import { Unrenderable } from '../../templates/templates.errors.js';

/** Errors do not keep their class on the way from a thread. */
export type LetterAnswer = { letter: MessageContent } | { unrenderable: string };

// What is done in threads with templates: see TemplateWork.

export function render(...given: Parameters<typeof letterOf>): LetterAnswer {
  try {
    return { letter: letterOf(...given) };
  } catch (error) {
    if (error instanceof Unrenderable) return { unrenderable: error.message };
    throw error;
  }
}

/** What texts name that they do not define themselves. */
export const namesIn = (texts: readonly string[]): string[] => texts.flatMap((text) => readLiquid(text).variables);

export { differences, lint };
