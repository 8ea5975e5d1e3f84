import { Module } from '@nestjs/common';
import { SecondFactorsService } from './second-factors.service.js';
import { SessionCookie } from './session-cookie.js';
import { SessionsService } from './sessions.service.js';
import { UsersModule } from './users.module.js';

@Module({
  imports: [UsersModule],
  providers: [SecondFactorsService, SessionCookie, SessionsService],
  exports: [SecondFactorsService, SessionsService, UsersModule],
})
export class AccountsModule {}
