import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Inject, Injectable, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/app.config.js';
import { CONFIG } from '../config/app.config.js';
import { Metrics } from './metrics.js';

/** `GET /metrics` on a separate port, which clients of the service cannot reach. */
@Injectable()
class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server?: Server;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, host } = this.config;
    if (metricsPort === undefined) return;
    this.server = createServer((request, response) => {
      if (request.url !== '/metrics') return void response.writeHead(404).end();
      this.metrics.text().then(
        (text) => response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8').end(text),
        () => response.writeHead(500).end(),
      );
    });
    await once(this.server.listen(metricsPort, host), 'listening');
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}

@Module({ providers: [MetricsServer] })
export class MetricsModule {}
