import { All, Controller, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ServiceError, unauthorized } from '#errors';
import { regionOf } from '#regions';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { readBearer } from '../../auth/bearer/bearer.js';
import { challenge } from '../../edge/guards/challenge.js';
import type { Cell } from './cell.js';
import { Cells } from './cells.js';

/**
 * /mcp for every region. The credential names the region, and its cell does the rest, including authentication, limits
 * and error envelopes. Only requests that name none of our regions are answered here.
 */
@Controller()
export class McpEntryController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly cells: Cells,
  ) {}

  @All(['mcp', 'mcp/*path'])
  async forward(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.cellOf(request, response).answer(request, response);
  }

  /** @throws authentication_error with the way to a credential (RFC 9728). */
  private cellOf(request: Request, response: Response): Cell {
    try {
      const region = regionOf(readBearer(request.headers.authorization));
      if (!region) throw withoutRegion();
      const cell = this.cells.find(region);
      if (!cell) throw unservedRegion(region, this.cells.all);
      return cell;
    } catch (error) {
      response.setHeader('WWW-Authenticate', challenge(this.config, request));
      throw error;
    }
  }
}

const withoutRegion = (): ServiceError =>
  unauthorized('This credential does not contain a region. Use the address of its own region.');

const unservedRegion = (region: string, cells: Cell[]): ServiceError =>
  unauthorized(
    `This credential belongs to region ${region}; this address serves ${cells.map((cell) => cell.region).join(', ')}. Use the address of its own region.`,
  );
