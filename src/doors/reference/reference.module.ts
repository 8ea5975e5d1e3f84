import { Module } from '@nestjs/common';
import { OpenApiModule } from '../openapi/openapi.module.js';
import { ReferenceController } from './reference.controller.js';

/** Documentation for developers: the reference and the guides. */
@Module({ imports: [OpenApiModule], controllers: [ReferenceController] })
export class ReferenceModule {}
