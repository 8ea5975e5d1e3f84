import { Module } from '@nestjs/common';
import { Closings } from './closings.service.js';
import { OrganizationExports } from './organization-exports.js';

/** The end of an organization, and what it takes along. */
@Module({ providers: [Closings, OrganizationExports], exports: [Closings, OrganizationExports] })
export class ClosingModule {}
