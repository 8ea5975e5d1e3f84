import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../platform/config/app.config.js';
import type { ModelConfig } from '../../../platform/config/variables.js';
import { LanguageModel, type ModelAnswer, type ModelRequest } from '../language-model.js';
import { correctionOf, promptOf } from '../prompt.js';

type Sdk = typeof import('ai') & typeof import('@ai-sdk/openai-compatible');

const maxOutputTokens = 16_000;
const temperature = 0.2;
const usual = {
  temperature,
  maxOutputTokens,
  providerOptions: { openaiCompatible: { strictJsonSchema: false } },
};
/** Reasoning models accept no temperature, and take their token limit under another name. */
const plain = { providerOptions: { openaiCompatible: { max_completion_tokens: maxOutputTokens } } };
const shownCharacters = 300;

/**
 * Any server that implements OpenAI's chat completions. Its address is set by the operator, so the outbound guard does
 * not apply.
 */
@Injectable()
export class OpenAiCompatibleModel extends LanguageModel {
  private sdk?: Promise<Sdk>;
  /** Set once the server has rejected a schema or a setting. The schema is in the prompt in any case. */
  private isPlain = false;

  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'model'>) {
    super();
  }

  get isConfigured(): boolean {
    return this.config.model !== undefined;
  }

  async answer(request: ModelRequest): Promise<ModelAnswer> {
    const { model } = this.config;
    if (!model) return { outcome: 'refused', reason: 'No model is configured.' };
    // Loaded with the first request, so that it does not delay the start of the process.
    const sdk = await (this.sdk ??= loadSdk());
    const answer = await this.ask(sdk, model, request);
    if (this.isPlain || answer.outcome !== 'refused' || !answer.mayBeForm) return answer;
    this.isPlain = true;
    const again = await this.ask(sdk, model, request);
    if (again.outcome === 'refused') this.isPlain = false;
    return again;
  }

  private async ask(
    sdk: Sdk,
    model: ModelConfig,
    request: ModelRequest,
  ): Promise<ModelAnswer & { mayBeForm?: boolean }> {
    const late = AbortSignal.timeout(model.timeoutSeconds * 1_000);
    try {
      const { text, finishReason, usage } = await sdk.generateText({
        model: this.chat(sdk, model),
        ...messagesOf(request),
        ...(this.isPlain ? plain : { ...usual, output: jsonOutput(sdk, request) }),
        maxRetries: 0,
        abortSignal: AbortSignal.any([request.signal, late]),
      });
      return {
        outcome: 'answered',
        text,
        cutOff: finishReason === 'length',
        usage: {
          model: model.name,
          temperature: this.isPlain ? null : temperature,
          calls: 1,
          inputTokens: usage.inputTokens ?? 0,
          outputTokens: usage.outputTokens ?? 0,
        },
      };
    } catch (error) {
      request.signal.throwIfAborted();
      if (late.aborted) return { outcome: 'unavailable', reason: `It sent nothing for ${model.timeoutSeconds} s.` };
      return failureOf(sdk, error);
    }
  }

  private chat(sdk: Sdk, { baseUrl, apiKey, name }: ModelConfig) {
    return sdk.createOpenAICompatible({
      name: 'openaiCompatible',
      baseURL: baseUrl,
      apiKey,
      supportsStructuredOutputs: true,
    })(name);
  }
}

const loadSdk = async (): Promise<Sdk> => ({
  ...(await import('ai')),
  ...(await import('@ai-sdk/openai-compatible')),
});

/** Requests text in the form of a JSON schema. The caller parses it, and sends the model its faults. */
const jsonOutput = (sdk: Sdk, { schema }: ModelRequest) => ({
  ...sdk.Output.text(),
  responseFormat: Promise.resolve({ type: 'json' as const, schema, name: 'draft' }),
});

function messagesOf(request: ModelRequest) {
  const { system, user } = promptOf(request);
  const { correction } = request;
  const asked = { role: 'user' as const, content: user };
  if (!correction) return { system, messages: [asked] };
  const answered = { role: 'assistant' as const, content: correction.answer };
  return { system, messages: [asked, answered, { role: 'user' as const, content: correctionOf(correction.issues) }] };
}

/** A status of 400 or 422 may mean that the server does not support schemas or one of the settings. */
function failureOf(sdk: Sdk, error: unknown): ModelAnswer & { mayBeForm?: boolean } {
  if (!sdk.APICallError.isInstance(error)) return { outcome: 'unavailable', reason: 'It is unreachable.' };
  const { statusCode, responseHeaders, isRetryable } = error;
  const reason = `${statusCode ?? 'No response'}: ${error.message}`.slice(0, shownCharacters);
  // An invalid 2xx response, such as half a body, may be complete on the next try.
  if (isRetryable || statusCode === undefined || statusCode < 300) {
    const seconds = Number(responseHeaders?.['retry-after']);
    return { outcome: 'unavailable', reason, ...(Number.isFinite(seconds) && { retryAfterSeconds: seconds }) };
  }
  return { outcome: 'refused', reason, mayBeForm: statusCode === 400 || statusCode === 422 };
}
