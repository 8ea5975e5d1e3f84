import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Issue } from '#errors';
import type { JsonSchema } from '#operations';
import type { LanguageModel, ModelRequest, ModelUsage } from './language-model.js';

/** What a feature has the model draft. */
export interface DraftRequest<Draft> extends Pick<ModelRequest, 'system' | 'instruction' | 'data'> {
  /** JSON Schema 2020-12 of the draft. */
  schema: JsonSchema;
  /** What the schema cannot say; the model is told what is found. */
  check?(this: void, draft: Draft): Issue[] | Promise<Issue[]>;
}

/** How often the model may put a draft right. */
const maxCorrections = 2;
const maxIssuesTold = 20;

/** No draft came about, even after corrections. */
export class DraftRefused extends Error {
  constructor(
    readonly issues: readonly Issue[],
    /** The last answer that holds to the schema, if one does: for whoever can use a part of it. */
    readonly draft?: unknown,
  ) {
    super('The model’s answers do not hold to what is asked of them');
  }
}

/** The model cannot be asked now (`isPassing`), or not until its operator has changed something. */
export class ModelFailed extends Error {
  constructor(
    readonly isPassing: boolean,
    reason: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(reason);
  }
}

/** A model at the disposal of one job: what it may ask for, and what that has cost. */
export class Drafting {
  constructor(
    private readonly model: LanguageModel,
    /** Aborted when the job is cancelled; for whatever else takes long. */
    readonly signal: AbortSignal,
    /** What the job has cost so far. */
    readonly usage: Partial<ModelUsage>,
  ) {}

  /**
   * A draft that holds to its schema and passes its checks.
   *
   * @throws DraftRefused when two corrections did not help, ModelFailed when the model does not answer.
   */
  async draft<Draft>({ check, ...request }: DraftRequest<Draft>): Promise<Draft> {
    // One for each draft: it keeps every schema that it has compiled.
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
      correction = { answer: text, issues: issues.slice(0, maxIssuesTold) };
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

/** JSON, also where the model has put a fence around it; undefined where it is none, or holds what no field may. */
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
  if (cutOff) return [{ path: [], message: 'It was cut off at the limit of its length; be briefer.' }];
  if (draft === undefined) return [{ path: [], message: 'It is not JSON.' }];
  return errors.map(({ instancePath, message = 'does not hold to the schema', params }) => ({
    path: instancePath
      .split('/')
      .slice(1)
      .map((name) => (/^\d+$/.test(name) ? Number(name) : name)),
    message: `It ${message}${told(params)}.`,
  }));
}

/** What ajv's sentence leaves out: the values there are, the field that is too many. */
const told = ({ allowedValues, additionalProperty }: Record<string, unknown>): string =>
  Array.isArray(allowedValues)
    ? `: ${allowedValues.join(', ')}`
    : typeof additionalProperty === 'string'
      ? `: ${additionalProperty}`
      : '';
