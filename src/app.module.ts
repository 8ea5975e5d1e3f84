import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule, RouterModule } from '@nestjs/core';
import { Catalogue } from '#operations';
import { Keyring } from '#secrets';
import type { Config } from './app.config.js';
import { CONFIG } from './app.config.js';
import { ApiKeysModule } from './auth/api-keys/api-keys.module.js';
import { AuthModule } from './auth/auth.module.js';
import { EdgeModule } from './edge/edge.module.js';
import { UnknownRouteController } from './edge/unknown-route.controller.js';
import { FirstStartModule } from './first-start.js';
import { HealthModule } from './health/health.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { DATABASE_URL, PersistenceModule } from './persistence.module.js';
import { TasksModule } from './tasks/tasks.module.js';

/** What the process brings: settings, secrets, the database. */
export interface Surroundings {
  config: Config;
  keyring: Keyring;
  /** The owner's URL; the application connects through it and drops to its own roles. */
  databaseUrl: string;
}

/** Features whose operations live under /api/v1. */
const features = [OrganizationsModule, TasksModule, ApiKeysModule];

@Global()
@Module({})
class SurroundingsModule {
  static of({ config, keyring, databaseUrl }: Surroundings): DynamicModule {
    const given = [
      { provide: CONFIG, useValue: config },
      { provide: Keyring, useValue: keyring },
      { provide: DATABASE_URL, useValue: databaseUrl },
    ];
    return {
      module: SurroundingsModule,
      imports: [DiscoveryModule],
      providers: [...given, Catalogue],
      exports: [...given.map(({ provide }) => provide), Catalogue],
    };
  }
}

/** Takes whatever no other route took, so it is imported last. */
@Module({ controllers: [UnknownRouteController] })
class UnknownRouteModule {}

/** The table of contents. */
@Module({})
export class AppModule {
  static of(surroundings: Surroundings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SurroundingsModule.of(surroundings),
        PersistenceModule,
        AuthModule,
        EdgeModule,
        ...features,
        RouterModule.register(features.map((module) => ({ path: 'api/v1', module }))),
        HealthModule,
        OpenApiModule,
        McpModule,
        FirstStartModule,
        UnknownRouteModule,
      ],
    };
  }
}
