import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';

const encoding = new Tiktoken(ranks);

/** How much of a model's context a text takes, in tokens of o200k_base. */
export const tokensOf = (text: string): number => encoding.encode(text).length;
