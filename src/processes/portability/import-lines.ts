import { invalidField } from '#errors';
import { idPattern } from '#operations';

export const exportFormat = 'property-operations-export';
export const exportVersion = 1;

export type Row = Record<string, unknown>;

interface Head {
  format: string;
  version: number;
  organization: Row & { id: string; name: string; slug: string };
}

/** A line that is not a record. */
export interface Line {
  person?: Person;
  file?: { id: string; contentBase64: string };
}

export interface Person {
  id: string;
  email: string;
  name: string;
}

/** The content of the first line. */
export function headIn(line = ''): Head {
  const head = parsed(line) as Partial<Head>;
  if (head.format !== exportFormat || !head.organization)
    throw notAnExport('Its first line does not say that it is one.');
  if (head.version !== exportVersion)
    throw notAnExport(`Its version is ${head.version}; this release reads version ${exportVersion}.`);
  const { id, slug } = head.organization;
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id))
    throw notAnExport('The id of its organization is not valid.');
  if (typeof slug !== 'string' || !/^[a-z0-9-]{1,60}$/.test(slug))
    throw notAnExport('The slug of its organization is not valid.');
  return head as Head;
}

export function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw notAnExport('It has a line that is not JSON.');
  }
}

const isFileId = idPattern('file');
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** @throws validation_error for an id that would lead to another place than the files of the organization. */
export function contentOf({ id, contentBase64 }: NonNullable<Line['file']>): Buffer {
  if (typeof id !== 'string' || !isFileId.test(id)) throw notAnExport('It has a file whose id is not valid.');
  if (typeof contentBase64 !== 'string' || !base64.test(contentBase64))
    throw notAnExport('It has a file whose content is not base64.');
  return Buffer.from(contentBase64, 'base64');
}

export const notAnExport = (why: string) => invalidField(['file'], `This is not an export of an organization. ${why}`);
