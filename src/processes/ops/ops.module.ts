import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '../../auth/accounts/accounts.module.js';
import { ApprovalRulesModule } from '../../auth/approval-rules/approval-rules.module.js';
import { CellModule } from '../cell.service.js';
import { DemoModule } from '../demo/demo.module.js';
import { OperatorClientsModule } from '../../auth/oauth/operator-clients.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { features } from '../features.js';
import { FollowersModule } from '../followers.module.js';
import { JobsModule } from '../jobs.module.js';
import { PersistenceModule } from '../persistence.module.js';
import { type Environment, EnvironmentModule } from '../environment.module.js';
import { PortabilityModule } from '../portability/portability.module.js';
import { ThreadsModule } from '../threads.module.js';
import { Operator } from './operator.service.js';

/** What operators' commands need of the service: its features, and neither the edge nor the doors. */
@Module({})
export class OpsModule {
  static of(environment: Environment): DynamicModule {
    return {
      module: OpsModule,
      imports: [
        EnvironmentModule.of(environment),
        PersistenceModule,
        JobsModule,
        ThreadsModule,
        AuditModule,
        FollowersModule,
        CellModule,
        AccountsModule,
        ApprovalRulesModule,
        DemoModule,
        OperatorClientsModule,
        PortabilityModule,
        // Rules can be about each of their operations.
        ...features,
      ],
      providers: [Operator],
    };
  }
}
