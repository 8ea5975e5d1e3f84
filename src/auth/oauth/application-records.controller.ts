import { Controller, Get, Param } from '@nestjs/common';
import { notFound } from '#errors';
import { Open } from '../../platform/http/open.js';
import type { ToldApplication } from './applications-elsewhere.js';
import { ClientsRepository } from './clients.repository.js';
import { globalPrefix } from './endpoints.js';

/** Where other regions ask for the applications that registered here; see ApplicationsElsewhere. */
@Controller(`${globalPrefix}/applications`)
@Open()
export class ToldApplicationsController {
  constructor(private readonly clients: ClientsRepository) {}

  @Get(':id')
  async tell(@Param('id') id: string): Promise<ToldApplication> {
    const record = await this.clients.find(id);
    if (!record) throw notFound('application');
    return { ...record, secretHash: record.secretHash && record.secretHash.toString('base64url') };
  }
}
