import { Email, Id, one, Text, Timestamp } from '#operations';
import { UsersService } from '../accounts/users.service.js';
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

export const userCommands = [
  command({
    name: 'user create',
    about: 'Makes an account, which is a member of no organization yet.',
    input: NewUser,
    output: one(UserView),
    run: (service, { name, ...input }) => service.get(UsersService).create({ ...input, name: name ?? input.email }),
  }),
];
