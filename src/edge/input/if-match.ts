import { invalidField } from '#errors';

/**
 * The version in If-Match (RFC 9110, section 13.1.1): `"3"`, or `*` for any.
 *
 * @throws validation_error for other values.
 */
export function expectedVersionOf(header: string): number | undefined {
  if (header.trim() === '*') return undefined;
  const version = /^\s*"(\d{1,9})"\s*$/.exec(header)?.[1];
  if (version === undefined)
    throw invalidField(['If-Match'], 'Send the ETag of the record as you received it, such as "3".');
  return Number(version);
}
