import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { FormsService } from './forms.service.js';
import { PageCalls } from './page-calls.service.js';

/** What every page needs: the stylesheet, our forms, and the door to operations. */
@Global()
@Module({ controllers: [AssetsController], providers: [FormsService, PageCalls], exports: [FormsService, PageCalls] })
export class PagesModule {}
