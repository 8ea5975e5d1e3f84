import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { FormsService } from './forms.service.js';

/** What every page needs: the stylesheet, and our forms. */
@Global()
@Module({ controllers: [AssetsController], providers: [FormsService], exports: [FormsService] })
export class PagesModule {}
