import { Module } from '@nestjs/common';
import { OAuthModule } from '../../auth/oauth/oauth.module.js';
import { RequestsModule } from '../../platform/requests/requests.module.js';
import { RetentionService } from './retention.service.js';

@Module({ imports: [OAuthModule, RequestsModule], providers: [RetentionService] })
export class RetentionModule {}
