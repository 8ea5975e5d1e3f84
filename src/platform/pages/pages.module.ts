import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { FormsService } from './forms.service.js';

/** What every page stands on: the sheet, forms that are ours. */
@Global()
@Module({ controllers: [AssetsController], providers: [FormsService], exports: [FormsService] })
export class PagesModule {}
