import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { INestApplicationContext } from '@nestjs/common';
import { invalidField } from '#errors';
import { Id, Int, ListOf, one, OneOf, PickType, Text } from '#operations';
import { OrganizationView } from '../../tenancy/organizations/organization.dto.js';
import { Closings } from '../../tenancy/closing/closings.service.js';
import { Exporter } from '../portability/exporter.service.js';
import { Importer } from '../portability/importer.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

const fileFlag = { description: 'File; compressed if its name ends in .gz.', max: 4_096 };
const count = (description: string) => Int({ description, min: 0, max: Number.MAX_SAFE_INTEGER });

class ExportOrganization extends InOrganization {
  @Text(fileFlag) file: string;
}

class ExportedView {
  @Text(fileFlag) file: string;
  @count('Number of records of all tables in the file.') records: number;
}

class ImportOrganization {
  @Text(fileFlag) file: string;
  @Text({
    description: 'Slug of the organization in this service; default: that of the export.',
    optional: true,
    max: 60,
  })
  slug?: string;
}

class ImportedView extends PickType(OrganizationView, ['id', 'name', 'slug']) {
  @count('Number of people, with new or existing accounts.') people: number;
  @count('Number of imported records.') records: number;
  @count('Number of imported files.') files: number;
  @ListOf({ text: 100 }, { description: 'Records that have to be created again, by table.', max: 100 })
  leftOut: string[];
}

class OrganizationStatusView {
  @Id('org', { description: 'Organization id.' }) id: string;
  @OneOf(['active', 'closed'] as const, { description: 'Current status.' }) status: 'active' | 'closed';
}

export const organizationDataCommands = [
  command({
    name: 'org export',
    description: 'Writes every record of an organization to a file, one JSON value per line, with its files.',
    input: ExportOrganization,
    givesWay: true,
    output: one(ExportedView),
    run: async (service, { org, file }) => {
      const orgId = await service.get(Operator).organizationCalled(org);
      return { file, records: await exportTo(service.get(Exporter), orgId, file) };
    },
  }),
  command({
    name: 'org import',
    description: 'Creates an organization from an export in this region; create its keys and connections again.',
    input: ImportOrganization,
    givesWay: true,
    output: one(ImportedView),
    run: async (service, { file, slug }) => {
      const { leftOut, ...imported } = await service.get(Importer).import(linesOf(file), slug);
      return { ...imported, leftOut: Object.entries(leftOut).map(([table, records]) => `${table}: ${records}`) };
    },
  }),
  command({
    name: 'org close',
    description: 'Closes an organization: keys and tokens stop working, and its data is erased after 30 days.',
    input: InOrganization,
    output: one(OrganizationStatusView),
    run: (service, { org }) => turn(service, org, 'closed'),
  }),
  command({
    name: 'org reopen',
    description: 'Reopens an organization that was closed in the last 30 days.',
    input: InOrganization,
    output: one(OrganizationStatusView),
    run: (service, { org }) => turn(service, org, 'active'),
  }),
];

async function turn(service: INestApplicationContext, org: string, status: 'active' | 'closed') {
  const id = await service.get(Operator).organizationCalled(org);
  const act = { action: `ops org ${status === 'closed' ? 'close' : 'reopen'}`, actor: { type: 'operator' as const } };
  const closings = service.get(Closings);
  await (status === 'closed' ? closings.close(id, act) : closings.reopen(id, act));
  return { id, status };
}

async function exportTo(exporter: Exporter, orgId: string, file: string): Promise<number> {
  // Only for its owner to read, and never over another file.
  const output = createWriteStream(file, { mode: 0o600, flags: 'wx' });
  const first = file.endsWith('.gz') ? createGzip() : output;
  if (first !== output) first.pipe(output);
  const written = finished(output).catch((error: unknown) => {
    throw invalidField(['file'], `The file cannot be written: ${(error as Error).message}`);
  });
  const take = (line: string) =>
    new Promise<void>((resolve) => {
      first.write(`${line}\n`, () => resolve());
    });
  const records = await Promise.race([exporter.asOfNow(() => exporter.export(orgId, take)), written.then(() => 0)]);
  first.end();
  await written;
  return records;
}

const unreadable = ({ message }: Error) => invalidField(['file'], `The file cannot be read: ${message}`);

async function* linesOf(file: string): AsyncGenerator<string> {
  const input = createReadStream(file);
  const text = file.endsWith('.gz') ? input.pipe(createGunzip()) : input;
  const failed = new Promise<never>((_, reject) => {
    for (const stream of [input, text]) stream.once('error', (error: Error) => reject(unreadable(error)));
  });
  failed.catch(() => undefined);
  const lines = createInterface({ input: text, crlfDelay: Infinity })[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([lines.next(), failed]);
    if (next.done) return;
    yield next.value;
  }
}
