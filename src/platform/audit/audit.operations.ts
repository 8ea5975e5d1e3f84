import { lines, operation, page } from '#operations';
import { AuditEntryView, ExportAuditEntries, ListAuditEntries } from './audit-entry.dto.js';

export const listAuditEntries = operation({
  name: 'listAuditEntries',
  route: 'GET /audit-entries',
  scope: 'audit:read',
  effect: 'read',
  reach: 'property',
  title: 'List audit entries',
  description:
    'Lists who changed which record, with which credential, before and after, newest first. Entries are permanent.',
  askedAs: 'who changed, moved or cancelled it, history',
  input: ListAuditEntries,
  output: page(AuditEntryView),
});

export const exportAuditEntries = operation({
  name: 'exportAuditEntries',
  route: 'GET /audit-entries/export',
  scope: 'audit:read',
  effect: 'read',
  reach: 'property',
  title: 'Export audit entries',
  description:
    'Returns audit entries in the order in which they are sealed: all of them over REST, one JSON value per line; one page as a tool.',
  askedAs: 'download the log for an auditor',
  input: ExportAuditEntries,
  output: lines(AuditEntryView),
});
