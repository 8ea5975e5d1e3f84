import { Flag, Id, Int, ListOfObjects, ObjectOf, OneOf, Timestamp } from '#operations';
import { AuditSeal } from './audit-entry.dto.js';

export const auditFaults = ['changed', 'missing', 'inserted', 'forged', 'head', 'known_head'] as const;

export class AuditFault {
  @OneOf(auditFaults, {
    about:
      'An entry was changed, or is gone; one has no seal where it should; one, or the head, was not written by the service; the chain does not lead through the head that was given.',
  })
  fault: (typeof auditFaults)[number];
  @Int({ about: 'Where in the chain.', min: 0, max: Number.MAX_SAFE_INTEGER, optional: true }) position?: number;
  @Id('audit', { about: 'The entry.', optional: true }) entryId?: string;
}

class AuditHead extends AuditSeal {
  @Timestamp({ about: 'When it was sealed.' }) sealedAt: string;
}

const count = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class AuditVerificationView {
  @Flag({ about: 'Whether every entry is as the service wrote it, and none is missing.' }) valid: boolean;
  @Int({ about: 'How many entries there are.', ...count }) entries: number;
  @Int({ about: 'How many of them are sealed into the chain.', ...count }) sealed: number;
  @Int({ about: 'How many wait for their seal, which takes seconds.', ...count }) unsealed: number;
  @ObjectOf(() => AuditHead, { about: 'How far the chain goes; keep it elsewhere.', nullable: true })
  head: AuditHead | null;
  @ListOfObjects(() => AuditFault, { about: 'What is wrong, the first hundred.', max: 100 }) faults: AuditFault[];
}
