import type { Metrics } from '../../platform/metrics/metrics.js';
import { LanguageModel, type ModelAnswer, type ModelRequest } from './language-model.js';

/** Measures the calls of any model. */
export class CountedModel extends LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    private readonly metrics: Metrics,
  ) {
    super();
  }

  get isConfigured(): boolean {
    return this.model.isConfigured;
  }

  async answer(request: ModelRequest): Promise<ModelAnswer> {
    const startedAt = performance.now();
    const answer = await this.model.answer(request);
    this.metrics.observe('modelCallSeconds', [answer.outcome], (performance.now() - startedAt) / 1_000);
    if (answer.outcome === 'answered') {
      this.metrics.count('modelTokens', ['input'], answer.usage.inputTokens);
      this.metrics.count('modelTokens', ['output'], answer.usage.outputTokens);
    }
    return answer;
  }
}
