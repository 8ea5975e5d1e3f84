import { Injectable } from '@nestjs/common';
import { idColumn, type Row, TenantDatabase, uuidIn, Where } from '#persistence';
import { firstIdAt, requestIdOfLogId, requestsKeptMs } from './logged-request.js';
import type { ListRequests, RequestView } from './request.dto.js';

const ids = { request: idColumn('request'), grant: idColumn('grant'), member: idColumn('member') };
/** An id is made before its request is timed, and its time may be behind by this much. */
const idBehindMs = 60_000;
const uuid = /^(?:request_[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function readRequest(row: Row): RequestView {
  const id = ids.request.from(row.id) as string;
  return {
    id,
    requestId: (row.request_id as string | null) ?? requestIdOfLogId(id),
    at: row.at as string,
    door: row.door as RequestView['door'],
    operation: row.operation as string | null,
    status: row.status as number,
    code: row.code as string | null,
    credential: {
      kind: row.credential_kind as RequestView['credential']['kind'],
      id: row.credential_id as string,
    },
    applicationId: ids.grant.from(row.application_id) as string | null,
    memberId: ids.member.from(row.member_id) as string,
    milliseconds: row.milliseconds as number,
    bytes: row.bytes as number | null,
    replayed: row.replayed as boolean,
    dryRun: row.dry_run as boolean,
    invalidFields: (row.invalid_fields as string[] | null) ?? [],
    sampled: row.sampled as boolean,
  };
}

@Injectable()
export class RequestsRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** Newest first. @param before the id of the last one of the page before. */
  async newest(
    orgId: string,
    { status, from, to, ...filters }: ListRequests,
    before: string | undefined,
    limit: number,
  ): Promise<RequestView[]> {
    const where = this.shown(orgId, from ? Date.parse(from) : 0)
      .when(to, 'r.at < ?::timestamptz')
      .when(before && uuidIn(before), 'r.id < ?::uuid')
      .when(
        status && Number(status.replace('xx', '00')),
        status?.endsWith('xx') ? 'r.status / 100 * 100 = ?' : 'r.status = ?',
      )
      .when(filters.code, 'r.code = ?')
      .when(filters.operation, 'r.operation = ?')
      .when(filters.credentialId, 'r.credential_id = ?')
      .when(filters.applicationId && uuidIn(filters.applicationId), 'r.application_id = ?')
      .when(filters.door, 'r.door = ?');
    return await this.read(orgId, where, limit);
  }

  /** By its id; else the newest of those whose client chose this id. */
  async find(orgId: string, requestId: string): Promise<RequestView | undefined> {
    const byId = uuid.test(requestId)
      ? await this.read(orgId, this.shown(orgId).and('r.id = ?::uuid', uuidIn(requestId)), 1)
      : [];
    return byId[0] ?? (await this.read(orgId, this.shown(orgId).and('r.request_id = ?', requestId), 1))[0];
  }

  /** @param from not before this time, nor before those that are shown. */
  private shown(orgId: string, from = 0): Where {
    const since = Math.max(from, Date.now() - requestsKeptMs);
    return new Where()
      .and('r.org_id = ?', uuidIn(orgId))
      .and('r.at >= ?::timestamptz', new Date(since).toISOString())
      .and('r.id >= ?::uuid', firstIdAt(since - idBehindMs));
  }

  private async read(orgId: string, where: Where, limit: number): Promise<RequestView[]> {
    const text = `select r.* from requests r ${where.text} order by r.id desc limit ${limit}`;
    return (await this.database.rows(orgId, text, where.values, true)).map(readRequest);
  }
}
