import type { MessageContent } from '../../outside/messages/message-templates.js';
import { letterOf } from './letter.js';
import { lint } from './lint.js';
import { readLiquid } from './liquid.js';
import { differences } from './template-diff.js';
import { Unrenderable } from './unrenderable.js';

/** Errors lose their class when they leave a thread. */
export type LetterAnswer = { letter: MessageContent } | { unrenderable: string };

// Thread functions for templates; see TemplateWork.

export function render(...given: Parameters<typeof letterOf>): LetterAnswer {
  try {
    return { letter: letterOf(...given) };
  } catch (error) {
    if (error instanceof Unrenderable) return { unrenderable: error.message };
    throw error;
  }
}

/** The names that texts use but do not define. */
export const namesIn = (texts: readonly string[]): string[] => texts.flatMap((text) => readLiquid(text).variables);

export { differences, lint };
