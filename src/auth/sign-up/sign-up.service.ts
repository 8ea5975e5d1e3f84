import type { Request } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { conflict, forbidden, invalidField, ServiceError } from '#errors';
import { sourceOf } from '#limits';
import { isEmail, isText } from '#operations';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { traceOf } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { MailService } from '../../platform/mail/mail.service.js';
import { pathWith } from '../../platform/pages/see-other.js';
import { Closings } from '../../tenancy/closing/closings.service.js';
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
    private readonly closings: Closings,
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
    const applicant = await this.applicant(token);
    refuseName(organizationName);
    refuseWeakPassword(password, applicant.email);
    const passwordHash = await hashPassword(password);
    return await this.founded(async () => {
      const { email: given, name: called } = applicant;
      const { id: userId, email, name } = await this.users.insert({ email: given, name: called, passwordHash });
      await this.accounts.record('signed-up', userId);
      return await this.own(request, { userId, email, name }, organizationName);
    });
  }

  /**
   * Another organization of somebody who has an account.
   *
   * @throws validation_error for a missing name; conflict_error for somebody who owns many.
   */
  async foundAnother(request: Request, person: Person, organizationName: string): Promise<SignedUp> {
    this.requireOpen();
    refuseName(organizationName);
    return await this.founded(async () => {
      // Two requests at the same time are counted one after the other.
      await this.database.rows('select 1 from users where id = $1 for no key update', [uuidIn(person.userId)]);
      if ((await this.closings.ownedBy(person.userId)).length >= mostOwned) throw ownsMany();
      return await this.own(request, person, organizationName);
    });
  }

  /** The slug follows from the name: somebody who founded another organization of that name may have been faster. */
  private async founded(work: () => Promise<SignedUp>): Promise<SignedUp> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'SLUG_TAKEN') return await this.database.transaction(work);
      throw error;
    }
  }

  private own(request: Request, person: Person, name: string): Promise<SignedUp> {
    const { userId } = person;
    const act = { action: 'sign-up', actor: { type: 'user' as const, id: userId }, ...traceOf(request.context) };
    return this.audit.during(act, async () => {
      const { organization, roles } = await this.founding.found({ name, quotaLimits: ofStrangers });
      const { id: roleId } = roles.find(({ builtIn }) => builtIn === 'owner') as Role;
      await this.founding.addMember({ orgId: organization.id, roleId, ...person });
      return { userId, organization };
    });
  }
}

/** Who owns an organization: somebody with an account. */
interface Person {
  userId: string;
  email: string;
  name: string;
}

interface SignedUp {
  userId: string;
  organization: Organization;
}

/** Nobody has vouched for who signs up without an invitation, so their keys cannot be given a higher rate; an operator can raise it. */
const ofStrangers = { keyRatePerMinute: 1_000 };

/** How many organizations a person may own who founds another. */
const mostOwned = 20;

function refuseName(organizationName: string): void {
  if (!isText(organizationName, 1, 200))
    throw invalidField(['organizationName'], 'Enter a name of 1 to 200 characters for the organization.');
}

const ownsMany = () =>
  conflict('TOO_MANY_ORGANIZATIONS', `You own ${mostOwned} organizations. Close one that you do not need first.`);

const isNotOpen = () =>
  forbidden('This service does not accept new organizations. To join one that uses it, ask for an invitation.');
