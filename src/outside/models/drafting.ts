import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Issue } from '#errors';
import type { JsonSchema } from '#operations';
import type { LanguageModel, ModelRequest, ModelUsage } from './language-model.js';

/** A feature's request for a draft. */
export interface DraftRequest<Draft> extends Pick<ModelRequest, 'system' | 'instruction' | 'data'> {
  /** JSON Schema 2020-12 of the draft. */
  schema: JsonSchema;
  /** Checks that the schema cannot express. The model receives the findings. */
  check?(this: void, draft: Draft): Issue[] | Promise<Issue[]>;
}

/** How often the model may correct a draft. */
const maxCorrections = 2;
const maxIssuesReported = 20;

/** No valid draft was produced, even after corrections. */
export class DraftRefused extends Error {
  constructor(
    readonly issues: readonly Issue[],
    /** The last answer that matches the schema, if there is one, for callers that can use a part of it. */
    readonly draft?: unknown,
  ) {
    super('The model’s answers do not match the request');
  }
}

/** The model is unavailable, either temporarily (`isPassing`) or until its operator changes something. */
export class ModelFailed extends Error {
  constructor(
    readonly isPassing: boolean,
    reason: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(reason);
  }
}

/** A model for one job, with the job's limits and costs. */
export class Drafting {
  constructor(
    private readonly model: LanguageModel,
    /** Aborted when the job is cancelled. Pass it to anything that takes long. */
    readonly signal: AbortSignal,
    /** The cost of the job so far. */
    readonly usage: Partial<ModelUsage>,
  ) {}

  /**
   * Produces a draft that matches its schema and passes its checks.
   *
   * @throws DraftRefused if two corrections did not help, ModelFailed if the model does not respond.
   */
  async draft<Draft>({ check, ...request }: DraftRequest<Draft>): Promise<Draft> {
    // Each draft has its own instance, because an instance keeps every schema that it has compiled.
    const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, validateFormats: false });
    const isOfSchema = ajv.compile<Draft>(request.schema);
    let correction: ModelRequest['correction'];
    for (let round = 0; ; round += 1) {
      const { text, cutOff } = await this.ask({ ...request, correction });
      const draft = cutOff ? undefined : parse(text);
      const fits = draft !== undefined && isOfSchema(draft);
      const issues = fits ? ((await check?.(draft)) ?? []) : unfit(cutOff, draft, isOfSchema.errors ?? []);
      if (fits && issues.length === 0) return draft;
      if (round === maxCorrections) throw new DraftRefused(issues, fits ? draft : undefined);
      correction = { answer: text, issues: issues.slice(0, maxIssuesReported) };
    }
  }

  private async ask(request: Omit<ModelRequest, 'signal'>): Promise<{ text: string; cutOff: boolean }> {
    const answer = await this.model.answer({ ...request, signal: this.signal });
    if (answer.outcome === 'unavailable') throw new ModelFailed(true, answer.reason, answer.retryAfterSeconds);
    if (answer.outcome === 'refused') throw new ModelFailed(false, answer.reason);
    const { model, temperature, calls, inputTokens, outputTokens } = answer.usage;
    Object.assign(this.usage, {
      model,
      temperature,
      calls: (this.usage.calls ?? 0) + calls,
      inputTokens: (this.usage.inputTokens ?? 0) + inputTokens,
      outputTokens: (this.usage.outputTokens ?? 0) + outputTokens,
    });
    return answer;
  }
}

/**
 * Parses JSON, also inside a code fence; undefined if it is not JSON. Characters that no field may contain are removed.
 */
function parse(text: string): unknown {
  const [, fenced = text] = /^```(?:json)?(.*)```$/s.exec(text.trim()) ?? [];
  try {
    return JSON.parse(fenced, (key, value: unknown) => {
      if (key === '__proto__') return undefined;
      return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;
    }) as unknown;
  } catch {
    return undefined;
  }
}

type SchemaError = { instancePath: string; message?: string; params: Record<string, unknown> };

function unfit(cutOff: boolean, draft: unknown, errors: readonly SchemaError[]): Issue[] {
  if (cutOff) return [{ path: [], message: 'It was cut off at the length limit; be briefer.' }];
  if (draft === undefined) return [{ path: [], message: 'It is not JSON.' }];
  return errors.map(({ instancePath, message = 'does not match the schema', params }) => ({
    path: instancePath
      .split('/')
      .slice(1)
      .map((name) => (/^\d+$/.test(name) ? Number(name) : name)),
    message: `It ${message}${detailOf(params)}.`,
  }));
}

/** Adds what ajv's message leaves out: the allowed values and the extra field. */
const detailOf = ({ allowedValues, additionalProperty }: Record<string, unknown>): string =>
  Array.isArray(allowedValues)
    ? `: ${allowedValues.join(', ')}`
    : typeof additionalProperty === 'string'
      ? `: ${additionalProperty}`
      : '';
