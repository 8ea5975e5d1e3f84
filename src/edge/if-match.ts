import { invalidField } from '#errors';

/**
 * The version that If-Match names (RFC 9110, section 13.1.1): `"3"`, or `*` for any.
 *
 * @throws validation_error for anything else.
 */
export function expectedVersionOf(header: string): number | undefined {
  if (header.trim() === '*') return undefined;
  const version = /^\s*"(\d{1,9})"\s*$/.exec(header)?.[1];
  if (version === undefined)
    throw invalidField(['If-Match'], 'Give the ETag of the record as it was answered, such as "3".');
  return Number(version);
}
