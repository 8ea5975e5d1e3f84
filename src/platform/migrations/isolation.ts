/**
 * Row security for a table of the organizations' data: the tenant role sees the rows of the organization that the
 * transaction names, the system role (what comes before or stands above an organization) sees all. FORCE binds the
 * owner too; neither role owns a table.
 */
export const isolated = (table: string, orgColumn = 'org_id'): string => `
  alter table ${table} enable row level security;
  alter table ${table} force row level security;
  create policy tenant on ${table} to app_user
    using (${orgColumn} = nullif(current_setting('app.org_id', true), '')::uuid)
    with check (${orgColumn} = nullif(current_setting('app.org_id', true), '')::uuid);
  create policy system on ${table} to app_system using (true) with check (true);
  grant select, insert, update, delete on ${table} to app_user, app_system;
`;

/** A table that stands above the organizations: the tenant role cannot reach it at all. */
export const systemOnly = (table: string): string => `
  grant select, insert, update, delete on ${table} to app_system;
`;
