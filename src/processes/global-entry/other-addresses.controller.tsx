import { All, Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ServiceError } from '#errors';
import { regionNames } from '#regions';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { wantsPage } from '../../platform/http/wants-page.js';
import { renderPage } from '../../platform/pages/page.js';
import type { Cell } from './cell.js';
import { Cells } from './cells.js';

/** All other paths, so it must come last. */
@Controller()
export class OtherAddressesController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly cells: Cells,
  ) {}

  /** The entry keeps nothing: while it lives it can be asked, whichever regions are up. */
  @Get(['healthz', 'readyz'])
  health(@Req() { context: { requestId } }: Request) {
    return { data: { status: 'ok' }, meta: { requestId } };
  }

  @Get()
  start(@Req() request: Request, @Res() response: Response): void {
    if (!wantsPage(request)) this.refuse();
    const { mcpUrl } = this.config;
    renderPage(response, { title: 'Welcome', children: <StartPage cells={this.cells.all} mcpUrl={mcpUrl} /> });
  }

  @All('*path')
  refuse(): never {
    const cells = Object.values(this.config.regionUrls).join(', ');
    const message = `Not found. This address serves /mcp for every region; everything else is at ${cells}.`;
    throw new ServiceError({ status: 404, message });
  }
}

const StartPage = ({ cells, mcpUrl }: { cells: Cell[]; mcpUrl: string }) => (
  <section class="panel">
    <h1>Operations for short-term rentals and hotels</h1>
    <p class="soft">Accounts, keys and data are in the region of your organization.</p>
    <nav class="choices" aria-label="Regions">
      {cells.map(({ region, url }) => (
        <a key={region} class="button" href={url}>
          {regionNames[region]} <small>{new URL(url).host}</small>
        </a>
      ))}
    </nav>
    <h2>Connect an assistant</h2>
    <p>
      One address for all regions: <code>{mcpUrl}/mcp</code>
    </p>
  </section>
);
