import { Module } from '@nestjs/common';
import { SecondFactorsService } from './second-factors.service.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsService } from './sessions.service.js';
import { UsersService } from './users.service.js';

@Module({
  providers: [SecondFactorsService, SessionCookie, SessionsService, UsersService],
  exports: [SecondFactorsService, SessionsService, UsersService],
})
export class AccountsModule {}
