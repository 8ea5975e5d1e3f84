import { Module } from '@nestjs/common';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { ReferenceController } from './reference.controller.js';

/** What people read who write a program: the reference and the guides. */
@Module({ imports: [OpenApiModule], controllers: [ReferenceController] })
export class ReferenceModule {}
