import { type DescribedRefusal, errorRow } from '#errors';
import type { JsonSchema, Operation } from '#operations';
import { codesEverywhere, ownRefusalsOf, refusalsOf } from '../../edge/refusals.js';
import type { ComponentSchemas } from './component-schemas.js';
import { authenticated, everyAnswer, headerRef, objectOf, schemaRef } from './parts.js';

const headersOf: Record<number, JsonSchema> = {
  401: { ...everyAnswer, 'WWW-Authenticate': headerRef('WWWAuthenticate') },
  429: { ...authenticated, 'Retry-After': headerRef('RetryAfter') },
  503: { ...authenticated, 'Retry-After': headerRef('RetryAfter') },
};

/** `rate_limit_error` → `RateLimitError`, `VERSION_MISMATCH` → `VersionMismatch` */
const nameOf = (text: string): string =>
  text.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const codesOf = (refusals: readonly DescribedRefusal[]): string[] => [...new Set(refusals.map(({ code }) => code))];

/** What an operation may be refused with, for programs. */
export const errorsOf = (operation: Operation): JsonSchema[] =>
  refusalsOf(operation).map(({ status, code, key }) => ({ status, code, ...(key !== undefined && { key }) }));

/**
 * The responses to rejected requests, one for each status. Those that follow from common rules are described once for
 * all operations, and those that an operation declares are described with it.
 */
export class ErrorResponses {
  readonly shared: Record<string, JsonSchema> = {};

  constructor(private readonly schemas: ComponentSchemas) {}

  of(operation: Operation): Record<string, JsonSchema> {
    const declared = new Set(ownRefusalsOf(operation).map(({ status }) => status));
    const byStatus = Map.groupBy(refusalsOf(operation), ({ status }) => status);
    return Object.fromEntries(
      [...byStatus].map(([status, all]) => [
        status,
        declared.has(status) ? this.response(status, all) : this.share(status, all),
      ]),
    );
  }

  private share(status: number, refusals: readonly DescribedRefusal[]): JsonSchema {
    const { type, code: usual } = errorRow(status);
    const codes = codesOf(refusals).filter((code) => !codesEverywhere.has(code));
    const name = codes.map((code) => nameOf(code === usual ? type : code)).join('Or') || 'CredentialError';
    this.shared[name] ??= this.response(status, refusals);
    return { $ref: `#/components/responses/${name}` };
  }

  private response(status: number, refusals: readonly DescribedRefusal[]): JsonSchema {
    const { type, code } = errorRow(status);
    const { properties } = objectOf({ error: this.error(type, refusals) });
    const schema = { allOf: [schemaRef('ErrorEnvelope')], type: 'object', properties };
    return {
      description: codesOf(refusals).includes(code)
        ? `\`${type}\`; the code is \`${code}\` unless a specific one applies.`
        : `\`${type}\`, with a code of its own.`,
      headers: headersOf[status] ?? authenticated,
      content: { 'application/json': { schema } },
    };
  }

  /** Each code has the details of its own class, if it has one. */
  private error(type: string, refusals: readonly DescribedRefusal[]): JsonSchema {
    const codes = codesOf(refusals);
    const keys = refusals.flatMap(({ key }) => key ?? []);
    const shapes = new Map(refusals.flatMap(({ code, details }) => (details ? [[code, details] as const] : [])));
    const typed = [...shapes].map(([code, shape]) => ({
      properties: { code: { const: code }, details: this.schemas.reference(shape) },
      required: ['code', 'details'],
    }));
    const others = codes.filter((code) => !shapes.has(code));
    const only = codes.length === 1 && shapes.get(codes[0] as string);
    const error = objectOf(
      {
        type: { type: 'string', const: type },
        code: { type: 'string', enum: codes },
        message: { type: 'string', description: 'What is wrong and what to do about it.' },
        details: only ? this.schemas.reference(only) : detailsOf(type, keys),
      },
      type === 'validation_error' || only ? [] : ['details'],
    );
    return typed.length === 0 || only
      ? error
      : {
          ...error,
          oneOf: [
            ...typed,
            ...(others.length > 0 ? [{ properties: { code: { enum: others } }, required: ['code'] }] : []),
          ],
        };
  }
}

const detailsOf = (type: string, keys: readonly string[]): JsonSchema =>
  type === 'validation_error' ? validationDetails(keys) : { type: 'object', additionalProperties: true };

/** A known rejection has a key, and any other lists the failing fields. */
const validationDetails = (keys: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: {
    service: { type: 'string' },
    method: { type: 'string' },
    issues: { type: 'array', items: schemaRef('Issue') },
    ...(keys.length > 0 && { key: { type: 'string', enum: keys } }),
  },
  required: ['service', 'method'],
  additionalProperties: true,
});
