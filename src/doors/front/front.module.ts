import { Module } from '@nestjs/common';
import { ConsoleStandInController } from './console-stand-in.controller.js';
import { FrontPageController } from './front-page.controller.js';

/** What people see who open the service's address in a browser. */
@Module({ controllers: [FrontPageController, ConsoleStandInController] })
export class FrontModule {}
