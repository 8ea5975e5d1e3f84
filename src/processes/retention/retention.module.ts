import { Module } from '@nestjs/common';
import { OAuthModule } from '../../auth/oauth/oauth.module.js';
import { RetentionService } from './retention.service.js';

@Module({ imports: [OAuthModule], providers: [RetentionService] })
export class RetentionModule {}
