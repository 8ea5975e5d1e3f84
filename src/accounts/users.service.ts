import { Injectable } from '@nestjs/common';
import { conflict } from '#errors';
import { newId, violates } from '#persistence';
import { SystemDatabase } from '#system-database';
import { hashPassword } from './passwords.js';
import { User } from './user.entity.js';

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** People, above the organizations. */
@Injectable()
export class UsersService {
  constructor(private readonly database: SystemDatabase) {}

  /** @throws conflict_error when the address has an account. */
  async create({ email, name, password }: NewUser): Promise<User> {
    const now = new Date().toISOString();
    const user = Object.assign(new User(), {
      id: newId('user'),
      email,
      name,
      passwordHash: await hashPassword(password),
      hasSecondFactor: false,
      createdAt: now,
      updatedAt: now,
    });
    try {
      await this.database.transaction(() => this.database.manager.insert(User, user));
    } catch (error) {
      if (violates(error, 'users_email')) throw conflict('USER_EXISTS', `There is an account for ${email} already.`);
      throw error;
    }
    return user;
  }

  async findByEmail(email: string): Promise<Pick<User, 'id' | 'email' | 'name'> | undefined> {
    const [row] = await this.database.rows(
      `select 'user_' || replace(id::text, '-', '') as id, email, name from users where lower(email) = lower($1)`,
      [email],
    );
    return row as Pick<User, 'id' | 'email' | 'name'> | undefined;
  }
}
