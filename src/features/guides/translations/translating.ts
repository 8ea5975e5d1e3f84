import type { Issue } from '#errors';
import { type Drafting, DraftRefused } from '../../../outside/models/drafting.js';
import { languageName } from '#locales';
import { isText } from '#operations';
import { damageOf, mask, type Masked, unmask } from '../masks.js';
import type { GuideText } from './texts.js';

/** The outcome for a text: its translation, or why it has no translation. */
export type Outcome = { text: string } | { problem: string };

/** How much a model translates well in one answer. */
const mostTexts = 40;
const mostCharacters = 6_000;
const longest = 10_000;

type Answer = Record<string, string>;

/**
 * Has the model translate texts in which variables, links, codes and numbers are masked. Each translation is compared
 * with the original; only texts that are still damaged after corrections fail.
 *
 * @throws DraftRefused if no answer could be read at all.
 */
export async function translate(
  texts: readonly GuideText[],
  { from, into }: { from: string; into: string },
  drafting: Drafting,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const batch of batchesOf(texts)) {
    const asked = batch.map(({ key, text }, index) => ({ key, text, name: `t${index + 1}`, masked: mask(text) }));
    const answer = await answerTo(asked, `Translate from ${languageOf(from)} into ${languageOf(into)}.`, drafting);
    for (const one of asked) outcomes.set(one.key, outcomeOf(one, answer));
  }
  return outcomes;
}

interface Asked {
  key: string;
  text: string;
  /** The model's key for the text. */
  name: string;
  masked: Masked;
}

async function answerTo(asked: readonly Asked[], instruction: string, drafting: Drafting): Promise<Answer> {
  const properties = Object.fromEntries(
    asked.map(({ name }) => [name, { type: 'string', minLength: 1, maxLength: longest }]),
  );
  try {
    return await drafting.draft<Answer>({
      system:
        'You translate texts of a guide that guests of a holiday home read. Write as a native speaker would: warm, plain and ' +
        'brief. Keep line breaks. Each ⟦1⟧, ⟦2⟧ … stands for a name, number or link: keep every one of them exactly once, ' +
        'where it belongs in the sentence, and write no digits, links or such marks of your own.',
      instruction,
      data: Object.fromEntries(asked.map(({ name, masked }) => [name, masked.text])),
      schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
      check: (answer) => asked.flatMap((one) => issuesOf(one, answer)),
    });
  } catch (error) {
    if (error instanceof DraftRefused && error.draft !== undefined) return error.draft as Answer;
    throw error;
  }
}

function issuesOf(asked: Asked, answer: Answer): Issue[] {
  const outcome = outcomeOf(asked, answer);
  return 'problem' in outcome ? [{ path: [asked.name], message: outcome.problem }] : [];
}

function outcomeOf({ name, text, masked: { parts } }: Asked, answer: Answer): Outcome {
  const translation = unmask(answer[name] ?? '', parts).trim();
  if (!isText(translation, 1, longest)) return { problem: 'It is empty or too long.' };
  const { lost, added } = damageOf(text, translation);
  if (lost.length === 0 && added.length === 0) return { text: translation };
  const marks = lost.map((part) => `⟦${parts.indexOf(part) + 1}⟧ (${part})`);
  const problems = [
    marks.length > 0 && `lost ${marks.join(', ')}`,
    added.length > 0 && `brought in ${added.join(', ')}`,
  ];
  return { problem: `It ${problems.filter(Boolean).join(' and ')}.`.slice(0, 1_000) };
}

function batchesOf(texts: readonly GuideText[]): GuideText[][] {
  const batches: GuideText[][] = [];
  let room = 0;
  for (const text of texts) {
    room -= text.text.length;
    const last = batches.at(-1);
    if (last && room >= 0 && last.length < mostTexts) last.push(text);
    else {
      batches.push([text]);
      room = mostCharacters - text.text.length;
    }
  }
  return batches;
}

const languageOf = (locale: string): string => `${languageName(locale, 'en')} (${locale})`;
