import { Get } from '@nestjs/common';
import { PageController } from '../../platform/pages/page-controller.js';
import { SeeOther } from '../../platform/pages/see-other.js';

/** Leads to the account pages wherever no console answers: its routes come before this one. */
@PageController()
export class ConsoleStandInController {
  @Get('console/:slug')
  show(): never {
    throw new SeeOther('/account');
  }
}
