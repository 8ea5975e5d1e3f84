import { invalidField } from '#errors';
import { Int, one, Pattern } from '#operations';
import { AuditVerificationView } from '../../platform/audit/audit-verification.dto.js';
import { AuditVerification } from '../../platform/audit/audit-verification.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class VerifyAudit extends InOrganization {
  @Int({ description: 'Position of an earlier head.', min: 1, max: Number.MAX_SAFE_INTEGER, optional: true })
  position?: number;

  @Pattern({
    description: 'Hash of that head, which the chain must contain.',
    pattern: /^[0-9a-f]{64}$/,
    max: 64,
    message: 'Pass 64 hexadecimal digits from an earlier verification.',
    optional: true,
  })
  hash?: string;
}

export const auditCommands = [
  command({
    name: 'audit verify',
    description: 'Verifies that the audit trail is unchanged; exits with status 1 if it is not.',
    input: VerifyAudit,
    givesWay: true,
    output: one(AuditVerificationView),
    run: async (service, { org, position, hash }) => {
      if ((position === undefined) !== (hash === undefined))
        throw invalidField([position === undefined ? 'position' : 'hash'], 'Pass --position and --hash together.');
      const known = position !== undefined && hash !== undefined ? { position, hash } : undefined;
      const orgId = await service.get(Operator).organizationCalled(org);
      return await service.get(AuditVerification).verify(orgId, known);
    },
    isFailure: ({ valid }) => !valid,
  }),
];
