import { Module } from '@nestjs/common';
import { DocumentsController } from './documents.controller.js';
import { ReferenceController } from './reference.controller.js';

/** Descriptions of the service for programs, people and language models. */
@Module({ controllers: [DocumentsController, ReferenceController] })
export class OpenApiModule {}
