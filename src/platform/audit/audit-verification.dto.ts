import { Flag, Id, Int, ListOfObjects, ObjectOf, OneOf, Timestamp } from '#operations';
import { AuditSeal } from './audit-entry.dto.js';

export const auditFaults = ['changed', 'missing', 'inserted', 'forged', 'head', 'known_head'] as const;

export class AuditFault {
  @OneOf(auditFaults, {
    description:
      'What is wrong: an entry was changed or deleted; a seal is missing; an entry or the head was not written by this service; the chain does not contain the given head.',
  })
  fault: (typeof auditFaults)[number];
  @Int({ description: 'Position in the chain.', min: 0, max: Number.MAX_SAFE_INTEGER, optional: true })
  position?: number;
  @Id('audit', { description: 'Entry id (audit_…).', optional: true }) entryId?: string;
}

class AuditHead extends AuditSeal {
  @Timestamp({ description: 'When the head was sealed.' }) sealedAt: string;
}

const count = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class AuditVerificationView {
  @Flag({ description: 'Whether every entry is unchanged and none is missing.' }) valid: boolean;
  @Int({ description: 'Number of entries.', ...count }) entries: number;
  @Int({ description: 'Number of entries that are sealed into the chain.', ...count }) sealed: number;
  @Int({ description: 'Number of entries that are not sealed yet, which takes seconds.', ...count }) unsealed: number;
  @ObjectOf(() => AuditHead, {
    description: 'Head of the chain; store it elsewhere to verify against it later.',
    nullable: true,
  })
  head: AuditHead | null;
  @ListOfObjects(() => AuditFault, { description: 'First 100 faults.', max: 100 }) faults: AuditFault[];
}
