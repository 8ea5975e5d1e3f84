import { lines, operation, page } from '#operations';
import { AuditEntryView, ExportAuditEntries, ListAuditEntries } from './audit-entry.dto.js';

export const listAuditEntries = operation({
  name: 'listAuditEntries',
  route: 'GET /audit-entries',
  scope: 'audit:read',
  effect: 'read',
  reach: 'property',
  title: 'List audit entries',
  description: 'Who did what to which record, through which credential, before and after; newest first, kept for good.',
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
    'The audit entries in the order in which they are sealed: over REST all of them, a JSON value a line; as a tool a page.',
  input: ExportAuditEntries,
  output: lines(AuditEntryView),
});
