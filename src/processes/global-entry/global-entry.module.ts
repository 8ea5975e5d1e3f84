import { type DynamicModule, Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { DiscoveryController } from '../../auth/oauth/discovery.controller.js';
import { ErrorEnvelopeFilter } from '../../edge/answers/error-envelope.filter.js';
import { BoundaryMiddleware } from '../../doors/mcp/boundary.middleware.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { MetricsModule } from '../../platform/metrics/metrics.module.js';
import { AssetsController } from '../../platform/pages/assets.controller.js';
import { AuthorizationEntryController } from './authorization-entry.controller.js';
import { Cells } from './cells.js';
import { LeakedKeysEntryController } from './leaked-keys-entry.controller.js';
import { McpEntryController } from './mcp-entry.controller.js';
import { OtherAddressesController } from './other-addresses.controller.js';
import { RegionPickerController } from './region-picker.controller.js';

/** The single address of all regions. Global, so that the metrics server finds its counts. */
@Global()
@Module({})
export class GlobalEntryModule implements NestModule {
  static of(config: Config): DynamicModule {
    return {
      module: GlobalEntryModule,
      imports: [MetricsModule],
      controllers: [
        McpEntryController,
        DiscoveryController,
        RegionPickerController,
        AuthorizationEntryController,
        LeakedKeysEntryController,
        AssetsController,
        OtherAddressesController,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Metrics, useFactory: () => Metrics.open(config) },
        { provide: APP_FILTER, useClass: ErrorEnvelopeFilter },
        Cells,
      ],
      exports: [CONFIG, Metrics],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(BoundaryMiddleware).forRoutes('mcp', 'mcp/*path');
  }
}
