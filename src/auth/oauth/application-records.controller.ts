import { Controller, Get, Param } from '@nestjs/common';
import { notFound } from '#errors';
import { Open } from '../../platform/http/open.js';
import type { ApplicationRecord } from './applications-elsewhere.js';
import { ClientsRepository } from './clients.repository.js';
import { globalPrefix } from './endpoints.js';

/** Serves the applications that registered here to other regions; see ApplicationsElsewhere. */
@Controller(`${globalPrefix}/applications`)
@Open()
export class ApplicationRecordsController {
  constructor(private readonly clients: ClientsRepository) {}

  @Get(':id')
  async read(@Param('id') id: string): Promise<ApplicationRecord> {
    const record = await this.clients.find(id);
    if (!record) throw notFound('application');
    return { ...record, secretHash: record.secretHash && record.secretHash.toString('base64url') };
  }
}
