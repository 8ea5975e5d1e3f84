/**
 * What a translation must not touch: variables, what stands between backticks, links, mail addresses, codes (letters and
 * digits together, not as in 3rd or 10am) and numbers in any script. Tokens of ours that a text brings along count too,
 * so that none of them can be taken for a mask. The look behind and the bounds keep a long run from being tried whole at
 * each of its characters.
 */
const protectedPart =
  /\{\{[^{}]*\}\}|`[^`\n]+`|(?:https?:\/\/|www\.)[^\s<>"⟦⟧]*[^\s<>"⟦⟧.,;:!?)\]'’»]|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?=[\w-]{0,63}\d)(?:[\w-]{0,63}[A-Z][\w-]*|[a-z][\w-]*)\b|[+#]?\p{Nd}+(?:[.,:/\u2019-]?\p{Nd}+)*|[⟦⟧]/gu;

const token = /⟦(\d+)⟧/g;

/** A text with its protected parts taken out: each token stands for one of them. */
export interface Masked {
  readonly text: string;
  readonly parts: readonly string[];
}

/** Every protected part of a text, in order. */
export const protectedPartsOf = (text: string): string[] => text.match(protectedPart) ?? [];

export function mask(text: string): Masked {
  const parts: string[] = [];
  return { text: text.replaceAll(protectedPart, (part) => `⟦${parts.push(part)}⟧`), parts };
}

/** Puts the parts back; a token that stands for none is left, and told by `damageOf`. */
export const unmask = (text: string, parts: readonly string[]): string =>
  text.replaceAll(token, (whole, number: string) => parts[Number(number) - 1] ?? whole);

/**
 * What a translation lost of the text's protected parts, and what it brought in: nothing where both have the same ones,
 * each as often, in whatever order.
 */
export function damageOf(source: string, translation: string): { lost: string[]; added: string[] } {
  const [before, after] = [protectedPartsOf(source), protectedPartsOf(translation)];
  return { lost: without(before, after), added: without(after, before) };
}

function without(parts: readonly string[], others: readonly string[]): string[] {
  const rest = [...others];
  return parts.filter((part) => {
    const index = rest.indexOf(part);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}

/** The variables of a text, such as {{guest.name}}, however they are spaced. */
export const variablesOf = (text: string): string[] =>
  Array.from(text.matchAll(/\{\{([^{}]*)\}\}/g), ([, name = '']) => name.trim());
