import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isCalendarDate, isEmail, isTimestamp, type Operation } from '#operations';
import type { Json, Reply } from '../../support/api.js';
import type { ToolReply } from '../../support/mcp.js';

const formats = {
  'date-time': isTimestamp,
  date: isCalendarDate,
  email: isEmail,
  'uri-reference': (text: string) => URL.canParse(text, 'https://api.example.org'),
};
/** Sent only for a reason; every other header that the document names is in every response. */
const onOccasion = ['Idempotent-Replayed', 'Retry-After'];

/**
 * Compares responses with the OpenAPI document, and results of tools with their output schemas; undefined if they
 * match.
 */
export class Promised {
  private readonly ajv = new Ajv2020({ strict: false, formats, code: { optimize: false }, inlineRefs: false });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(
    private readonly document: Json,
    private readonly tools: ReadonlyMap<string, Json>,
  ) {
    this.ajv.addSchema(document, 'openapi.json');
  }

  /** What is wrong with a REST response. */
  faultOfReply({ method, path }: Operation, { status, headers, text, body }: Reply): string | undefined {
    if (status >= 500) return text;
    const pointer = ['paths', `/api/v1${path}`, method.toLowerCase(), 'responses', String(status)];
    const found = at(this.document, pointer);
    if (!found) return `it is not said that ${status} may be answered: ${text}`;
    const [response, where] = found.$ref
      ? [at(this.document, stepsOf(found.$ref)), stepsOf(found.$ref)]
      : [found, pointer];
    const missing = Object.keys(response.headers ?? {}).filter(
      (name) => !onOccasion.includes(name) && !headers.has(name),
    );
    if (missing.length > 0) return `${status} came without ${missing.join(', ')}`;
    const type = headers.get('content-type')?.split(';')[0] as string;
    if (!response.content[type]) return `${status} came as ${type}`;
    if (type === 'text/event-stream') return undefined;
    if (type === 'application/x-ndjson') {
      const lines = text.split('\n').filter((line) => line !== '');
      const each = [...where, 'content', type, 'schema', 'contentSchema'];
      return lines.map((line) => this.mismatch(each, JSON.parse(line))).find((fault) => fault !== undefined);
    }
    if (headers.get('x-request-id') !== body.meta?.requestId) return `${text} is not of ${headers.get('x-request-id')}`;
    return this.mismatch([...where, 'content', type, 'schema'], body);
  }

  /** What is wrong with the result of a tool, or with a rejection of the whole request. */
  faultOfResult(
    { name, method, path, status: succeeds }: Operation,
    { status, isError, body }: ToolReply,
  ): string | undefined {
    const text = JSON.stringify(body);
    if (status >= 500 || ['internal_error', 'service_unavailable'].includes(body.error?.type)) return text;
    if (isError !== (body.error !== undefined) && status === 200) return `isError is ${isError} of ${text}`;
    if (body.error) return this.mismatch(['components', 'schemas', 'ErrorEnvelope'], body);
    const pointer = ['paths', `/api/v1${path}`, method.toLowerCase(), 'responses', String(succeeds)];
    const schema = [...pointer, 'content', 'application/json', 'schema'];
    // The schema of a tool requires little, so the result must also match what REST promises.
    const fault = at(this.document, schema) && this.mismatch(schema, body);
    return fault ?? this.judged(name, () => this.ajv.compile(this.tools.get(name)?.outputSchema), body);
  }

  private mismatch(steps: string[], value: unknown): string | undefined {
    const $ref = `openapi.json#/${steps.map(encoded).join('/')}`;
    return this.judged($ref, () => this.ajv.compile({ $ref }), value);
  }

  private judged(key: string, compile: () => ValidateFunction, value: unknown): string | undefined {
    const validate = this.validators.get(key) ?? compile();
    this.validators.set(key, validate);
    return validate(value) ? undefined : `${this.ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`;
  }
}

const at = (document: Json, steps: string[]): Json => steps.reduce((value, step) => value?.[step], document);
const stepsOf = (reference: string): string[] => reference.slice(2).split('/');
const encoded = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
