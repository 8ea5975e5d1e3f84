import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { PagesModule } from '../../platform/pages/pages.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { ApiKeysPageController } from './api-keys-page.controller.js';

/** A separate module, because pages live outside /api/v1. */
@Module({
  imports: [AccountsModule, ApiKeysModule, OrganizationsModule, PagesModule],
  controllers: [ApiKeysPageController],
})
export class ApiKeysPageModule {}
