import type { IncomingMessage } from 'node:http';
import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { notFound } from '#errors';
import { idPattern } from '#operations';
import { ConnectionAccounts } from '../../../outside/connections/connection-accounts.js';
import { readBytes } from '../../../platform/http/json-body.js';
import { Open } from '../../../platform/http/open.js';
import { DeviceReports } from '../device-reports.service.js';
import { DeviceProviders } from '../providers/device-providers.js';

const maxBytes = 262_144;

/** Where vendors post what devices say. Who posts is shown by the vendor's signature, which its adapter verifies. */
@Open()
@Controller('device-messages')
export class PostedMessagesController {
  constructor(
    private readonly accounts: ConnectionAccounts,
    private readonly providers: DeviceProviders,
    private readonly reports: DeviceReports,
  ) {}

  @Post(':orgId/:connectionId')
  @HttpCode(204)
  async take(
    @Param('orgId') orgId: string,
    @Param('connectionId') connectionId: string,
    @Req() request: IncomingMessage,
  ): Promise<void> {
    const isPlace = idPattern('org').test(orgId) && idPattern('connection').test(connectionId);
    const account = isPlace ? await this.accounts.of(orgId, connectionId) : undefined;
    const pushing = account?.connection.kind === 'device' && this.providers.named(account.connection.provider).pushing;
    if (!pushing || !pushing.read) throw notFound('connection');
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const reports = await pushing.read(account, { headers, body: await readBytes(request, maxBytes) });
    // Senders without the signature get 404.
    if (!reports) throw notFound('connection');
    await this.reports.receive(orgId, connectionId, reports);
  }
}
