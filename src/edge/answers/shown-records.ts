import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import type { RequestContext } from '#context';
import { type Answer, invalidField } from '#errors';
import {
  fieldsOf,
  type Inclusion,
  Inclusions,
  type InclusionSource,
  isListed,
  mostInclusions,
  one,
  type Operation,
  type Page,
  viewOf,
} from '#operations';

type Row = Readonly<Record<string, unknown>>;
type Beside = Record<string, unknown>;

/** What `include` and `fields` ask for: records beside each record, and only some of its fields. */
@Injectable()
export class ShownRecords {
  constructor(private readonly inclusions: Inclusions) {}

  /** @throws validation_error for names that the operation does not have. */
  check({ include, fields }: RequestContext, { includes = {}, output }: Operation): void {
    const names = Object.keys(includes);
    const most = Math.min(mostInclusions, names.length);
    const asked = include === undefined ? [] : namesIn('include', include, names);
    if (asked.length > mostInclusions) throw invalidField(['include'], `Include at most ${most} at a time.`);
    if (fields !== undefined)
      namesIn(
        'fields',
        fields,
        fieldsOf(output.view).map(({ name }) => name),
      );
  }

  /** Changes the data of an answer. */
  async show(
    { include, fields, operation }: RequestContext,
    caller: Caller,
    result: unknown,
    { value }: Answer,
  ): Promise<void> {
    if ((include === undefined && fields === undefined) || !('data' in value)) return;
    const isPage = Array.isArray(value.data);
    const rows = isPage ? (result as Page<Row>).items : [result as Row];
    const names = include === undefined ? [] : listed(include);
    const beside = await this.beside(caller, operation?.includes ?? {}, names, rows);
    const kept = fields === undefined ? undefined : new Set(listed(fields));
    const shown = ([value.data].flat() as Row[]).map((record, index) => ({
      ...(kept ? Object.fromEntries(Object.entries(record).filter(([name]) => kept.has(name))) : record),
      ...(include !== undefined && { included: beside[index] }),
    }));
    value.data = isPage ? shown : shown[0];
  }

  /** For each row what is shown beside it; null or an empty list where the caller may not read it. */
  private async beside(
    caller: Caller,
    includes: Partial<Record<Inclusion, string>>,
    names: readonly string[],
    rows: readonly Row[],
  ): Promise<Beside[]> {
    const all: Beside[] = rows.map(() => ({}));
    for (const name of names as Inclusion[]) {
      const source = this.inclusions.of(name);
      const idsOf = (row: Row) => [row[includes[name] as string] ?? []].flat() as string[];
      const found = await recordsOf(source, caller, [...new Set(rows.flatMap(idsOf))]);
      for (const [index, row] of rows.entries()) {
        const records = idsOf(row).flatMap((id) => found.get(id) ?? []);
        (all[index] as Beside)[name] = isListed(name) ? records : (records[0] ?? null);
      }
    }
    return all;
  }
}

async function recordsOf(
  source: InclusionSource,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, unknown[]>> {
  const loaded = may(caller, source.scope) && ids.length > 0 ? await source.load(caller, ids) : [];
  const found = new Map<string, unknown[]>();
  for (const [id, record] of loaded) found.set(id, [...(found.get(id) ?? []), viewOf(one(source.view), record)]);
  return found;
}

const listed = (text: unknown): string[] => [...new Set((text as string).split(','))];

function namesIn(field: string, text: unknown, known: readonly string[]): string[] {
  const sentence = `Pass names separated by commas. Choose from: ${known.join(', ')}.`;
  if (typeof text !== 'string') throw invalidField([field], sentence);
  const names = listed(text);
  if (!names.every((name) => known.includes(name))) throw invalidField([field], sentence);
  return names;
}
