import { notFound } from '#errors';
import { Email, Id, ListOf, one, Text, Timestamp } from '#operations';
import { SystemDatabase } from '#system-database';
import { AuditService } from '../../platform/audit/audit.service.js';
import { SecondFactorsService } from '../../auth/accounts/second-factors.service.js';
import { UsersService } from '../../tenancy/people/users.service.js';
import { command } from './command.js';

class NewUser {
  @Email({ about: 'The address to sign in with.' })
  email: string;

  @Text({ about: 'The password to sign in with.', min: 8, max: 200 })
  password: string;

  @Text({ about: 'What to call the person; the address when left out.', optional: true, max: 200 })
  name?: string;
}

class UserView {
  @Id('user', { about: 'The account.' }) id: string;
  @Email({ about: 'The address to sign in with.' }) email: string;
  @Text({ about: 'What the person is called.', max: 200 }) name: string;
  @Timestamp({ about: 'When the account was made.' }) createdAt: string;
}

class ThisUser {
  @Email({ about: 'The address that the person signs in with.' })
  email: string;
}

class EnrolledTotpView {
  @Id('user', { about: 'The account.' }) userId: string;
  @Text({ about: 'For the authenticator app, in base32; shown this once.', max: 64 }) secret: string;
  @ListOf({ text: 40 }, { about: 'Each lets the person in once without the app; shown this once.', max: 10 })
  recoveryCodes: string[];
}

export const userCommands = [
  command({
    name: 'user create',
    about: 'Makes an account, which is a member of no organization yet.',
    input: NewUser,
    output: one(UserView),
    run: (service, { name, ...input }) =>
      service.get(SystemDatabase).transaction(async () => {
        const user = await service.get(UsersService).create({ ...input, name: name ?? input.email });
        const target = { type: 'user', id: user.id };
        await service.get(AuditService).recordAbove({ actor: { type: 'operator' }, action: 'ops user create', target });
        return user;
      }),
  }),
  command({
    name: 'user enroll-totp',
    about: 'Enrols an authenticator app for a person; the account needs a code at every sign-in from then on.',
    input: ThisUser,
    output: one(EnrolledTotpView),
    run: async (service, { email }) => {
      const user = await service.get(UsersService).findByEmail(email);
      if (!user) throw notFound('user');
      return await service.get(SecondFactorsService).enrollTotp(user.id);
    },
  }),
];
