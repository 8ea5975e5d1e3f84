import { applyDecorators, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { Open } from '../http/open.js';
import { BaseUrlGuard } from './base-url.guard.js';
import { PageErrorFilter } from './page-error.filter.js';

/** A controller of pages: public (the page itself handles the session), with errors shown as pages. */
export const PageController = (): ClassDecorator =>
  applyDecorators(Controller(), Open(), UseGuards(BaseUrlGuard), UseFilters(PageErrorFilter));
