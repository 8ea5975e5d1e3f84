import { Injectable } from '@nestjs/common';
import { conflict, ServiceError } from '#errors';
import { idColumn, newId, uuidIn, violates } from '#persistence';
import { SystemDatabase } from '#system-database';
import { refuseLongName } from './accounts.errors.js';
import { hashPassword } from './passwords.js';
import { User } from './user.entity.js';

const userIds = idColumn('user');

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

/** People, above the organizations. */
@Injectable()
export class UsersService {
  constructor(private readonly database: SystemDatabase) {}

  /** @throws conflict_error when the address has an account; validation_error for a name that is too long. */
  async create({ email, name, password }: NewUser): Promise<User> {
    refuseLongName(name);
    return await this.insert({ email, name, passwordHash: await hashPassword(password) });
  }

  /**
   * In the current transaction, if there is one; hashing a password takes longer than one should be open.
   *
   * @throws conflict_error when the address has an account.
   */
  async insert({ email, name, passwordHash }: Omit<NewUser, 'password'> & { passwordHash: string }): Promise<User> {
    const now = new Date().toISOString();
    const user = Object.assign(new User(), {
      id: newId('user'),
      email,
      name,
      passwordHash,
      hasSecondFactor: false,
      createdAt: now,
      updatedAt: now,
    });
    try {
      await this.database.transaction(() => this.database.insert(User, user));
    } catch (error) {
      if (violates(error, 'users_email')) throw conflict('USER_EXISTS', `An account for ${email} already exists.`);
      throw error;
    }
    return user;
  }

  /** Like `create`, but keeps an account that was created in the meantime. @returns whether it created one. */
  async createIfNew(user: NewUser): Promise<boolean> {
    try {
      await this.create(user);
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'USER_EXISTS') return false;
      throw error;
    }
  }

  async findForSignIn(email: string): Promise<Pick<User, 'id' | 'passwordHash' | 'hasSecondFactor'> | undefined> {
    const [row] = await this.database.rows(
      `select id, password_hash, has_second_factor from users where lower(email) = lower($1)`,
      [email],
    );
    return (
      row && {
        id: userIds.from(row.id) as string,
        passwordHash: row.password_hash as string | null,
        hasSecondFactor: row.has_second_factor as boolean,
      }
    );
  }

  /** The person with the hash of their password and whether they have a second factor, by which devices are known. */
  async findOwner(userId: string): Promise<Pick<User, 'id' | 'passwordHash' | 'hasSecondFactor'> | undefined> {
    const [row] = await this.database.rows('select password_hash, has_second_factor from users where id = $1', [
      uuidIn(userId),
    ]);
    return (
      row && {
        id: userId,
        passwordHash: row.password_hash as string | null,
        hasSecondFactor: row.has_second_factor as boolean,
      }
    );
  }

  async findByEmail(email: string): Promise<Pick<User, 'id' | 'email' | 'name'> | undefined> {
    const [row] = await this.database.rows(
      `select 'user_' || replace(id::text, '-', '') as id, email, name from users where lower(email) = lower($1)`,
      [email],
    );
    return row as Pick<User, 'id' | 'email' | 'name'> | undefined;
  }
}
