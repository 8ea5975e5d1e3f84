import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ServiceError } from '#errors';
import type { Region } from '#regions';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { Cell, CellUnreached } from './cell.js';

/** The cells of REGION_URLS, the nearest first. */
@Injectable()
export class Cells implements OnApplicationShutdown {
  private readonly cells: ReadonlyMap<Region, Cell>;

  constructor(@Inject(CONFIG) { regionUrls, trustedProxies }: Config, metrics: Metrics) {
    const trustsProxies = trustedProxies !== 0;
    this.cells = new Map(
      (Object.entries(regionUrls) as [Region, string][]).map(([region, url]) => [
        region,
        new Cell(region, url, trustsProxies, metrics),
      ]),
    );
  }

  get all(): Cell[] {
    return [...this.cells.values()];
  }

  find(region: string | undefined): Cell | undefined {
    return this.cells.get(region as Region);
  }

  /**
   * The nearest cell that is up, for requests that belong to no region.
   *
   * @throws service_unavailable if no cell is up.
   */
  async answerByNearest(request: Request, response: Response, body: Buffer): Promise<void> {
    let refusal: unknown;
    for (const cell of this.all) {
      try {
        return await cell.answer(request, response, body);
      } catch (error) {
        refusal = error;
        if (!(error instanceof ServiceError && error.cause instanceof CellUnreached)) break;
      }
    }
    throw refusal;
  }

  onApplicationShutdown(): void {
    for (const cell of this.all) cell.close();
  }
}
