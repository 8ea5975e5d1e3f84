import { DraftRefused, Drafting } from '../../../src/outside/models/drafting.js';
import type { LanguageModel } from '../../../src/outside/models/language-model.js';
import { cpuMs } from '../../support/cpu.js';

const usage = { model: 'stub', temperature: 0, calls: 1, inputTokens: 1, outputTokens: 1 };

function draftOf(text: string): Promise<unknown> {
  const model = { answer: () => Promise.resolve({ outcome: 'answered', text, cutOff: false, usage }) };
  const drafting = new Drafting(model as unknown as LanguageModel, new AbortController().signal, {});
  return drafting.draft({ system: '', instruction: '', schema: { type: 'object' } });
}

describe("a model's response", () => {
  it.each(['{"a":1}', ' {"a":1}\n', '```json\n{"a":1}\n```', '\n```\n\n{"a":1} ``` \n', '```{"a":1}```'])(
    'is read from %j',
    async (text) => {
      expect(await draftOf(text)).toEqual({ a: 1 });
    },
  );

  it.each(['``` ', '```json ', '```\n``` ', ' '])('that continues after %j is abandoned quickly', async (start) => {
    const text = `${start}${' '.repeat(100_000)}x`;
    expect(await cpuMs(() => expect(draftOf(text)).rejects.toThrow(DraftRefused))).toBeLessThan(500);
  });
});
