import { notFound } from '#errors';
import { Email, Id, Int, ListOf, one, Text, Timestamp } from '#operations';
import { SystemDatabase } from '#system-database';
import { AuditService } from '../../platform/audit/audit.service.js';
import { SecondFactorsService } from '../../auth/accounts/second-factors.service.js';
import { SessionsService } from '../../auth/accounts/sessions.service.js';
import { UsersService } from '../../tenancy/people/users.service.js';
import { command } from './command.js';
import { readPassword } from './secret.js';

class NewUser {
  @Email({ description: 'Email address to sign in with.' })
  email: string;

  @Text({
    description: 'Password to sign in with; without it, it is asked for at a terminal or read from standard input.',
    optional: true,
    min: 8,
    max: 200,
  })
  password?: string;

  @Text({ description: 'Name of the person; default: the address.', optional: true, max: 200 })
  name?: string;
}

class UserView {
  @Id('user', { description: 'Account id.' }) id: string;
  @Email({ description: 'Email address to sign in with.' }) email: string;
  @Text({ description: 'Name of the person.', max: 200 }) name: string;
  @Timestamp({ description: 'When the account was created.' }) createdAt: string;
}

class ThisUser {
  @Email({ description: 'Email address that the person signs in with.' })
  email: string;
}

class EnrolledTotpView {
  @Id('user', { description: 'Account id.' }) userId: string;
  @Text({ description: 'Secret for the authenticator app, in base32; shown only once.', max: 64 }) secret: string;
  @ListOf({ text: 40 }, { description: 'Recovery codes, each valid once without the app; shown only once.', max: 10 })
  recoveryCodes: string[];
}

class EndedSessionsView {
  @Id('user', { description: 'Account id.' }) userId: string;
  @Int({ description: 'How many sessions ended.', min: 0, max: 1_000_000 }) ended: number;
}

export const userCommands = [
  command({
    name: 'user create',
    description: 'Creates an account that is not a member of any organization yet.',
    input: NewUser,
    output: one(UserView),
    run: async (service, { email, name = email, password: given }) => {
      const password = given ?? (await readPassword());
      return await service.get(SystemDatabase).transaction(async () => {
        const user = await service.get(UsersService).create({ email, name, password });
        const target = { type: 'user', id: user.id };
        await service.get(AuditService).recordAbove({ actor: { type: 'operator' }, action: 'ops user create', target });
        return user;
      });
    },
  }),
  command({
    name: 'user enroll-totp',
    description:
      'Adds an authenticator app to an account, which then needs a code at every sign-in. The first factor ends all sessions.',
    input: ThisUser,
    output: one(EnrolledTotpView),
    run: async (service, { email }) => {
      const user = await service.get(UsersService).findByEmail(email);
      if (!user) throw notFound('account', 'Pass the email address of an account.');
      return await service.get(SecondFactorsService).enrollTotp(user.id);
    },
  }),
  command({
    name: 'user end-sessions',
    description:
      'Ends all sessions of a person, who has to sign in again, and pending changes of the address. Applications and keys keep their access.',
    input: ThisUser,
    output: one(EndedSessionsView),
    run: async (service, { email }) =>
      await service.get(SystemDatabase).transaction(async () => {
        const user = await service.get(UsersService).findByEmail(email);
        if (!user) throw notFound('account', 'Pass the email address of an account.');
        const ended = await service.get(SessionsService).signOutEverywhere(user.id);
        const target = { type: 'user', id: user.id };
        const action = 'ops user end-sessions';
        await service.get(AuditService).recordAbove({ actor: { type: 'operator' }, action, target });
        return { userId: user.id, ended };
      }),
  }),
];
