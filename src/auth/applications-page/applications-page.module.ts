import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OAuthModule } from '../oauth/oauth.module.js';
import { ApplicationsPageController } from './applications-page.controller.js';

/** A separate module, because pages live outside /api/v1. */
@Module({ imports: [AccountsModule, OAuthModule], controllers: [ApplicationsPageController] })
export class ApplicationsPageModule {}
