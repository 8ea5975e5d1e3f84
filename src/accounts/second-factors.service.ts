import { Injectable } from '@nestjs/common';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';

/** What a person is asked for beside the password. */
@Injectable()
export class SecondFactorsService {
  constructor(private readonly database: SystemDatabase) {}

  async isEnrolled(userId: string): Promise<boolean> {
    const [user] = await this.database.rows('select has_second_factor from users where id = $1', [uuidIn(userId)]);
    return user?.has_second_factor === true;
  }
}
