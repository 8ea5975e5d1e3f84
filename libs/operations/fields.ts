import { DecodedBase64, isBase64 } from '#bytes';
import { applyDecorators } from '@nestjs/common';
import { field, type FieldOptions, isText } from './field.js';
import { firstYear, isCalendarDate, isCurrency, isEmail, isTimestamp, isTimeZone, lastYear } from './formats.js';

/** Text of min to max characters that is not only whitespace. */
export const Text = (options: FieldOptions & { max: number; min?: number }): PropertyDecorator => {
  const { min = 1, max } = options;
  return field(
    options,
    { type: 'string', minLength: min, maxLength: max },
    `Pass text of ${min} to ${max} characters.`,
    (v) => isText(v, min, max),
  );
};

/** Text to search for. Spaces around it do not count. */
export const SearchText = (options: FieldOptions & { min?: number }): PropertyDecorator => {
  const { min = 1 } = options;
  const max = 100;
  return field(
    options,
    { type: 'string', minLength: min, maxLength: max },
    `Pass text of ${min} to ${max} characters.`,
    (v) => typeof v === 'string' && isText(v.trim(), min, max),
  );
};

/** Text that must match a pattern; the message says what is expected. */
export const Pattern = (options: FieldOptions & { pattern: RegExp; max: number; message: string }): PropertyDecorator =>
  field(
    options,
    { type: 'string', pattern: options.pattern.source, maxLength: options.max },
    options.message,
    (v) => isText(v, 1, options.max) && options.pattern.test(v),
  );

/** An id of the API. A malformed id gets 404 from the input reader, never 400. */
export const idPattern = (prefix: string): RegExp => new RegExp(`^${prefix}_[0-9a-f]{32}$`);

export const Id = (prefix: string, options: FieldOptions): PropertyDecorator =>
  applyDecorators(
    field(
      options,
      { type: 'string', 'x-id': prefix },
      'Pass an id that this API returned.',
      (v) => typeof v === 'string',
    ),
  );

export const OneOf = <T extends string>(values: readonly T[], options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'string', enum: [...values] }, `Choose one of: ${values.join(', ')}.`, (v) =>
    values.includes(v as T),
  );

export const Int = (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'integer', minimum: options.min, maximum: options.max },
    `Pass a whole number from ${options.min} to ${options.max}.`,
    (v) => Number.isInteger(v) && (v as number) >= options.min && (v as number) <= options.max,
  );

export const Decimal = (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'number', minimum: options.min, maximum: options.max },
    `Pass a number from ${options.min} to ${options.max}.`,
    (v) => Number.isFinite(v) && (v as number) >= options.min && (v as number) <= options.max,
  );

export const Flag = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'boolean' }, 'Pass true or false.', (v) => typeof v === 'boolean');

/** A point in time, RFC 3339 with an offset. */
export const Timestamp = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'date-time' },
    'Pass a time with its offset, such as 2026-03-01T15:00:00+01:00.',
    isTimestamp,
  );

/** Whether a value counts: a whole number from 0, which is text in a query. */
export const isCounter = (value: unknown): value is number | string =>
  typeof value === 'number' ? Number.isSafeInteger(value) && value >= 0 : /^\d{1,15}$/.test(String(value));

/** What orders versions: a whole number, or a time, which is kept as it was sent. */
export const CounterOrTime = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        { type: 'string', format: 'date-time', maxLength: 40 },
      ],
    },
    'Pass a whole number from 0, or a time with its offset, such as 2026-03-01T15:00:00Z.',
    (value) => isCounter(value) || isTimestamp(value),
  );

/** A calendar date, RFC 3339 full-date, local to the property. */
export const CalendarDate = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'date' },
    `Pass a date such as 2026-03-01, from the years ${firstYear} to ${lastYear}.`,
    isCalendarDate,
  );

/** What a clock at the property shows, in answers only. */
export const LocalTime = (options: FieldOptions): PropertyDecorator =>
  Pattern({
    example: '2026-11-22T16:00',
    ...options,
    pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d$/,
    max: 16,
    message: 'Pass a local time such as 2026-11-22T16:00.',
  });

/** An email address; stored as written but for spaces around it, compared case-insensitively. */
export const Email = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: 'ana@example.com', ...options },
    { type: 'string', format: 'email', maxLength: 254 },
    'Pass an email address such as ana@example.com.',
    isEmail,
  );

/** An ISO 4217 currency code. */
export const Currency = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: 'EUR', ...options },
    { type: 'string', pattern: '^[A-Z]{3}$', maxLength: 3 },
    'Pass an ISO 4217 currency code such as EUR.',
    isCurrency,
  );

/** An IANA time zone name. */
export const TimeZone = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: 'Europe/Lisbon', ...options },
    { type: 'string', maxLength: 64 },
    'Pass an IANA time zone such as Europe/Lisbon.',
    isTimeZone,
  );

/** Bytes in base64 (RFC 4648, section 4): a text, or what a thread has decoded of a large body. */
export const Base64 = (options: FieldOptions & { maxBytes: number }): PropertyDecorator => {
  const max = Math.ceil(options.maxBytes / 3) * 4;
  return field(
    options,
    { type: 'string', contentEncoding: 'base64', maxLength: max },
    `Pass base64 (RFC 4648) of 1 to ${options.maxBytes} bytes, with padding and without line breaks.`,
    (v) =>
      v instanceof DecodedBase64
        ? v.bytes.length > 0 && v.bytes.length <= options.maxBytes
        : typeof v === 'string' &&
          v !== '' &&
          v.length <= max &&
          isBase64(v) &&
          Buffer.byteLength(v, 'base64') <= options.maxBytes,
  );
};
