import { Module } from '@nestjs/common';
import { FrontPageController } from './front-page.controller.js';

/** What people see who open the service's address in a browser. */
@Module({ controllers: [FrontPageController] })
export class FrontModule {}
