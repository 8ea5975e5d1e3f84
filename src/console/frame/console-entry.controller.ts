import type { Request } from 'express';
import { Get, Req } from '@nestjs/common';
import { SessionsService } from '../../auth/accounts/sessions.service.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { SeeOther } from '../../platform/pages/see-other.js';
import { MembershipsRepository } from '../../tenancy/members/memberships.repository.js';

/** The address that people remember: it leads to the organization of who has one, and otherwise to the account, which lists them. */
@PageController()
export class ConsoleEntryController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly memberships: MembershipsRepository,
  ) {}

  @Get('console')
  async enter(@Req() request: Request): Promise<never> {
    const { userId } = await this.sessions.require(request);
    const [only, ...others] = await this.memberships.of(userId);
    throw new SeeOther(only && others.length === 0 ? `/console/${only.slug}` : '/account');
  }
}
