import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '../../auth/accounts/accounts.module.js';
import { ApiKeysModule } from '../../auth/api-keys/api-keys.module.js';
import { CellModule } from '../cell.service.js';
import { DemoModule } from '../demo/demo.module.js';
import { OperatorClientsModule } from '../../auth/oauth/operator-clients.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { JobsModule } from '../jobs.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { PersistenceModule } from '../persistence.module.js';
import { type Surroundings, SurroundingsModule } from '../environment.module.js';
import { ThreadsModule } from '../threads.module.js';
import { Operator } from './operator.service.js';

/** What operators' commands need of the service: its features, and neither the edge nor the doors. */
@Module({})
export class OpsModule {
  static of(surroundings: Surroundings): DynamicModule {
    return {
      module: OpsModule,
      imports: [
        SurroundingsModule.of(surroundings),
        PersistenceModule,
        JobsModule,
        ThreadsModule,
        AuditModule,
        CellModule,
        AccountsModule,
        OrganizationsModule,
        ApiKeysModule,
        DemoModule,
        OperatorClientsModule,
      ],
      providers: [Operator],
    };
  }
}
