import { Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { regionNames } from '#regions';
import { endpoints, globalPrefix } from '../../auth/oauth/endpoints.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { renderPage } from '../../platform/pages/page.js';
import { SeeOther } from '../../platform/pages/see-other.js';
import type { Cell } from './cell.js';
import { Cells } from './cells.js';

/** An account and its organizations are in one region, so that a person says where before signing in. */
@PageController()
export class RegionPickerController {
  constructor(private readonly cells: Cells) {}

  /** @param hint an application that knows the region may say it: `region=eu`. */
  @Get(endpoints.authorization)
  pick(@Req() request: Request, @Res() response: Response, @Query('region') hint: unknown): void {
    const { all } = this.cells;
    const known = all.length === 1 ? all[0] : all.find(({ region }) => region === hint);
    if (known) throw new SeeOther(authorizationAt(known, request));
    renderPage(response, { title: 'Choose your region', children: <RegionPicker cells={all} request={request} /> });
  }
}

function authorizationAt({ url }: Cell, request: Request): string {
  const query = new URLSearchParams(request.originalUrl.split('?').slice(1).join('?'));
  query.delete('region');
  return `${url}${globalPrefix}${endpoints.authorization}?${query}`;
}

const RegionPicker = ({ cells, request }: { cells: Cell[]; request: Request }) => (
  <section class="panel">
    <h1>Where is your organization?</h1>
    <p class="soft">
      An application requests access to it. You sign in and authorize it in the region that you choose.
    </p>
    <nav class="choices" aria-label="Regions">
      {cells.map((cell) => (
        <a key={cell.region} class="button" href={authorizationAt(cell, request)}>
          {regionNames[cell.region]} <small>{new URL(cell.url).host}</small>
        </a>
      ))}
    </nav>
    <p class="soft below">To use it in several regions, connect the application once for each.</p>
  </section>
);
