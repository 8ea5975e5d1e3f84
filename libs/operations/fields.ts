import { applyDecorators } from '@nestjs/common';
import { field, type FieldOptions, isText } from './field.js';
import { firstYear, isBase64, isCalendarDate, isEmail, isTimestamp, isTimeZone, lastYear } from './formats.js';

/** Text of min to max UTF-16 units, not only blanks. */
export const Text = (options: FieldOptions & { max: number; min?: number }): PropertyDecorator => {
  const { min = 1, max } = options;
  return field(
    options,
    { type: 'string', minLength: min, maxLength: max },
    `Give text of ${min} to ${max} characters.`,
    (v) => isText(v, min, max),
  );
};

/** Text that must match a pattern; the sentence says what is expected. */
export const Pattern = (options: FieldOptions & { pattern: RegExp; max: number; says: string }): PropertyDecorator =>
  field(
    options,
    { type: 'string', pattern: options.pattern.source, maxLength: options.max },
    options.says,
    (v) => isText(v, 1, options.max) && options.pattern.test(v),
  );

/** An id of the API. What is not the id of anything is answered 404 by the reader, never 400. */
export const idPattern = (prefix: string): RegExp => new RegExp(`^${prefix}_[0-9a-f]{32}$`);

export const Id = (prefix: string, options: FieldOptions): PropertyDecorator =>
  applyDecorators(
    field(
      options,
      { type: 'string', 'x-id': prefix },
      'Give an id as this API wrote it.',
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
    `Give a whole number from ${options.min} to ${options.max}.`,
    (v) => Number.isInteger(v) && (v as number) >= options.min && (v as number) <= options.max,
  );

export const Decimal = (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'number', minimum: options.min, maximum: options.max },
    `Give a number from ${options.min} to ${options.max}.`,
    (v) => Number.isFinite(v) && (v as number) >= options.min && (v as number) <= options.max,
  );

export const Flag = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'boolean' }, 'Give true or false.', (v) => typeof v === 'boolean');

/** A moment, RFC 3339 with an offset. */
export const Timestamp = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'date-time' },
    'Give a time with its offset, such as 2026-03-01T15:00:00+01:00.',
    isTimestamp,
  );

/** A day of the calendar, RFC 3339 full-date, local to the property. */
export const CalendarDate = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'date' },
    `Give a date such as 2026-03-01, in the years ${firstYear} to ${lastYear}.`,
    isCalendarDate,
  );

/** An address that mail can be sent to; kept as it was written, compared without regard to case. */
export const Email = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: 'ana@example.com', ...options },
    { type: 'string', format: 'email', maxLength: 254 },
    'Give an email address such as ana@example.com.',
    isEmail,
  );

/** An IANA time zone name. */
export const TimeZone = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: 'Europe/Lisbon', ...options },
    { type: 'string', maxLength: 64 },
    'Give an IANA time zone such as Europe/Lisbon.',
    isTimeZone,
  );

/** Bytes in base64 (RFC 4648, section 4). */
export const Base64 = (options: FieldOptions & { maxBytes: number }): PropertyDecorator => {
  const max = Math.ceil(options.maxBytes / 3) * 4;
  return field(
    options,
    { type: 'string', contentEncoding: 'base64', maxLength: max },
    `Give up to ${options.maxBytes} bytes in base64.`,
    (v) => isText(v, 1, max) && isBase64(v) && Buffer.byteLength(v, 'base64') <= options.maxBytes,
  );
};
