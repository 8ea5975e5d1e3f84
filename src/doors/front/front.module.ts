import { Module } from '@nestjs/common';
import { FrontPageController } from './front-page.controller.js';

/** The page at the service's address. */
@Module({ controllers: [FrontPageController] })
export class FrontModule {}
