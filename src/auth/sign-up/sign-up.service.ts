import type { Request } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { forbidden, invalidField, ServiceError } from '#errors';
import { sourceOf } from '#limits';
import { isEmail } from '#operations';
import { SystemDatabase } from '#system-database';
import { traceOf } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { pathWith } from '../../platform/pages/see-other.js';
import { FoundingService } from '../../tenancy/founding/founding.service.js';
import type { Organization } from '../../tenancy/organizations/organization.entity.js';
import { AccountAudit } from '../../tenancy/people/account-audit.js';
import { linkIsNoGood, refuseLongName, refuseWeakPassword } from '../../tenancy/people/accounts.errors.js';
import { hashPassword } from '../../tenancy/people/passwords.js';
import { UsersService } from '../../tenancy/people/users.service.js';
import type { Role } from '../../tenancy/roles/role.entity.js';
import { AttemptsService } from '../accounts/attempts.service.js';
import { signUpMail } from './sign-up-mail.js';
import { type Applicant, SignUpLink } from './sign-up-link.js';

export interface SignUp {
  password: string;
  organizationName: string;
}

/** Creates an account and an organization, of which it is the owner, for somebody who has proven their address. */
@Injectable()
export class SignUpService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly attempts: AttemptsService,
    private readonly links: SignUpLink,
    private readonly mail: MailService,
    private readonly users: UsersService,
    private readonly founding: FoundingService,
    private readonly audit: AuditService,
    private readonly accounts: AccountAudit,
  ) {}

  /** @throws authorization_error unless the service is open to everybody. */
  requireOpen(): void {
    if (this.config.signUp !== 'open') throw isNotOpen();
  }

  /**
   * Mails a link to the address, whether or not it has an account: only its reader learns that.
   *
   * @throws validation_error for the name or the address; ServiceError 429 for too many letters.
   */
  async request(request: Request, { email, name }: Applicant): Promise<void> {
    this.requireOpen();
    if (!name) throw invalidField(['name'], 'Enter your name.');
    refuseLongName(name);
    if (!isEmail(email)) throw invalidField(['email'], 'Enter an email address such as maria@example.com.');
    const link = this.config.baseUrl + pathWith('/sign-up/confirm', { token: this.links.seal({ email, name }) });
    await this.database.transaction(async () => {
      await this.attempts.begin([
        ['mail', email],
        ['ip', sourceOf(request.ip)],
      ]);
      await this.mail.queue(signUpMail(email, link));
    });
  }

  /**
   * Who the link was mailed to, and whether the address has an account by now.
   *
   * @throws not_found_error for a link that has expired or is not ours.
   */
  async applicant(token: string): Promise<Applicant & { hasAccount: boolean }> {
    this.requireOpen();
    const applicant = this.links.open(token);
    if (!applicant) throw linkIsNoGood();
    return { ...applicant, hasAccount: (await this.users.findByEmail(applicant.email)) !== undefined };
  }

  /**
   * @throws validation_error for a weak password or a missing name; conflict_error if the address has an account by now.
   */
  async confirm(request: Request, token: string, { password, organizationName }: SignUp): Promise<SignedUp> {
    const { email, name } = await this.applicant(token);
    if (!organizationName || organizationName.length > 200)
      throw invalidField(['organizationName'], 'Enter a name of 1 to 200 characters for the organization.');
    refuseWeakPassword(password, email);
    const passwordHash = await hashPassword(password);
    const found = () => this.found(request, { email, name, passwordHash }, organizationName);
    try {
      return await found();
    } catch (error) {
      // The slug follows from the name: somebody who founded another organization of that name was faster.
      if (error instanceof ServiceError && error.code === 'SLUG_TAKEN') return await found();
      throw error;
    }
  }

  private found(
    request: Request,
    account: Applicant & { passwordHash: string },
    organizationName: string,
  ): Promise<SignedUp> {
    return this.database.transaction(async () => {
      const { id: userId, email, name } = await this.users.insert(account);
      await this.accounts.record('signed-up', userId);
      const act = { action: 'sign-up', actor: { type: 'user' as const, id: userId }, ...traceOf(request.context) };
      return await this.audit.during(act, async () => {
        const { organization, roles } = await this.founding.found({ name: organizationName });
        const { id: roleId } = roles.find(({ builtIn }) => builtIn === 'owner') as Role;
        await this.founding.addMember({ orgId: organization.id, userId, email, name, roleId });
        return { userId, organization };
      });
    });
  }
}

interface SignedUp {
  userId: string;
  organization: Organization;
}

const isNotOpen = () =>
  forbidden('This service does not accept new organizations. To join one that uses it, ask for an invitation.');
