import { invalidField } from '#errors';
import { Int, one, Pattern } from '#operations';
import { AuditVerificationView } from '../../events/audit/audit-verification.dto.js';
import { AuditVerification } from '../../platform/audit/audit-verification.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class VerifyAudit extends InOrganization {
  @Int({ about: 'The position of a head from before.', min: 1, max: Number.MAX_SAFE_INTEGER, optional: true })
  position?: number;

  @Pattern({
    about: 'The hash of that head: the chain must still lead through it.',
    pattern: /^[0-9a-f]{64}$/,
    max: 64,
    says: 'Give 64 hexadecimal digits, as an earlier verification printed them.',
    optional: true,
  })
  hash?: string;
}

export const auditCommands = [
  command({
    name: 'audit verify',
    about: 'Tells whether the audit trail is as the service wrote it; ends with 1 where it is not.',
    input: VerifyAudit,
    givesWay: true,
    output: one(AuditVerificationView),
    run: async (service, { org, position, hash }) => {
      if ((position === undefined) !== (hash === undefined))
        throw invalidField([position === undefined ? 'position' : 'hash'], 'Give --position and --hash together.');
      const known = position !== undefined && hash !== undefined ? { position, hash } : undefined;
      const orgId = await service.get(Operator).organizationCalled(org);
      return await service.get(AuditVerification).verify(orgId, known);
    },
    isFailure: ({ valid }) => !valid,
  }),
];
