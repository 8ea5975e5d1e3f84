import { applyDecorators, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { Open, type OpenRoute } from '../http/open.js';
import { BaseUrlGuard } from './base-url.guard.js';
import { PageErrorFilter } from './page-error.filter.js';

/** A controller of pages: public (the page itself handles the session), with errors shown as pages. */
export const PageController = (route: Partial<OpenRoute> = {}): ClassDecorator =>
  applyDecorators(Controller(), Open(route), UseGuards(BaseUrlGuard), UseFilters(PageErrorFilter));
