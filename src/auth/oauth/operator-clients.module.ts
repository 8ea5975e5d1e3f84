import { Module } from '@nestjs/common';
import { ClientsRepository } from './clients.repository.js';
import { OperatorClients } from './operator-clients.service.js';

/** The providers that operators' commands need, without the authorization server itself. */
@Module({ providers: [ClientsRepository, OperatorClients], exports: [OperatorClients] })
export class OperatorClientsModule {}
