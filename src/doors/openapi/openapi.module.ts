import { Module } from '@nestjs/common';
import { DocumentsController } from './documents.controller.js';
import { ServiceDocument } from './service-document.js';

/** Descriptions of the service for programs and language models. */
@Module({ controllers: [DocumentsController], providers: [ServiceDocument], exports: [ServiceDocument] })
export class OpenApiModule {}
