/**
 * What a translation must not change: variables, text between backticks, links, mail addresses, codes (letters and
 * digits together, not as in 3rd or 10am) and numbers in any script. Mask tokens that a text contains count too, so
 * that none of them can be mistaken for a mask. The lookbehind and the bounds keep a long run from being tried whole at
 * each of its characters.
 */
const protectedPart =
  /\{\{[^{}]*\}\}|`[^`\n]+`|(?:https?:\/\/|www\.)[^\s<>"⟦⟧]*[^\s<>"⟦⟧.,;:!?)\]'’»]|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?=[\w-]{0,63}\d)(?:[\w-]{0,63}[A-Z][\w-]*|[a-z][\w-]*)\b|[+#]?\p{Nd}+(?:[.,:/\u2019-]?\p{Nd}+)*|[⟦⟧]/gu;

const token = /⟦(\d+)⟧/g;

/** A text whose protected parts are replaced by tokens. */
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

/** Restores the parts. An unknown token is left in place, and `damageOf` reports it. */
export const unmask = (text: string, parts: readonly string[]): string =>
  text.replaceAll(token, (whole, number: string) => parts[Number(number) - 1] ?? whole);

/**
 * The protected parts that a translation lost or added. Empty if both texts have the same parts, each the same number
 * of times, in any order.
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

/** The variables of a text, such as {{guest.name}}, regardless of spaces. */
export const variablesOf = (text: string): string[] =>
  Array.from(text.matchAll(/\{\{([^{}]*)\}\}/g), ([, name = '']) => name.trim());
