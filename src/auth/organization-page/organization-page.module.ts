import { Module } from '@nestjs/common';
import { ClosingModule } from '../../tenancy/closing/closing.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { OrganizationPageController } from './organization-page.controller.js';

@Module({ imports: [AccountsModule, ClosingModule], controllers: [OrganizationPageController] })
export class OrganizationPageModule {}
