import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { ConsentController } from './consent.controller.js';
import { ConsentService } from './consent.service.js';

@Module({
  imports: [AccountsModule, OAuthModule],
  controllers: [ConsentController],
  providers: [ConsentService],
})
export class ConsentModule {}
