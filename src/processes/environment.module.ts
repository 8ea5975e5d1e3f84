import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Catalogue, Inclusions, OperationCalls } from '#operations';
import { Outbound } from '#outbound';
import { Keyring } from '#secrets';
import type { Config } from '../platform/config/app.config.js';
import { CONFIG } from '../platform/config/app.config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { DATABASE_URL } from './persistence.module.js';

/** The environment of the process: settings, secrets, the database. */
export interface Environment {
  config: Config;
  keyring: Keyring;
  /** The owner's URL; the application connects through it and drops to its own roles. */
  databaseUrl: string;
}

@Global()
@Module({})
export class EnvironmentModule {
  static of({ config, keyring, databaseUrl }: Environment): DynamicModule {
    const given = [
      { provide: CONFIG, useValue: config },
      { provide: Keyring, useValue: keyring },
      { provide: DATABASE_URL, useValue: databaseUrl },
    ];
    return {
      module: EnvironmentModule,
      imports: [DiscoveryModule],
      providers: [
        ...given,
        Catalogue,
        Inclusions,
        OperationCalls,
        { provide: Outbound, useFactory: () => new Outbound(config.outboundAllow) },
        { provide: Metrics, useFactory: () => Metrics.open(config) },
      ],
      exports: [...given.map(({ provide }) => provide), Catalogue, Inclusions, OperationCalls, Outbound, Metrics],
    };
  }
}
