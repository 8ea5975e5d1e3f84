import { Injectable } from '@nestjs/common';
import { ApprovalPages, type Deciding } from './approval-page.service.js';
import { RecordNames } from './record-names.repository.js';

/** Enough to tell one request from another in a list. */
const most = 3;

/** What the requests in a list are about. */
@Injectable()
export class ApprovalSubjects {
  constructor(
    private readonly pages: ApprovalPages,
    private readonly names: RecordNames,
  ) {}

  /** By the id of the approval: the names of the records that it refers to, as far as the person may see them. */
  async of(found: readonly Deciding[]): Promise<ReadonlyMap<string, string>> {
    const subjects = new Map<string, string>();
    for (const ofOne of Map.groupBy(found, ({ approval }) => approval.orgId).values()) {
      const asked = ofOne.map((deciding) => ({ deciding, fields: this.pages.fieldsOf(deciding) }));
      const [first] = ofOne;
      const shown = asked.map(({ fields }) => fields);
      const names = first ? await this.names.in(first.person, shown) : new Map<string, string>();
      for (const { deciding, fields } of asked) subjects.set(deciding.approval.id, subjectOf(fields, names));
    }
    return subjects;
  }
}

function subjectOf(fields: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>): string {
  const { name, primaryGuest } = fields;
  const called = [name, (primaryGuest as { name?: unknown } | null | undefined)?.name];
  const known = Object.values(fields)
    .flat()
    .map((id) => names.get(id as string));
  return [...new Set([...known, ...called])].filter(Boolean).slice(0, most).join(' · ');
}
