import { Module } from '@nestjs/common';
import { UsersService } from './users.service.js';

/** People, independent of how they sign in; organizations look them up. */
@Module({ providers: [UsersService], exports: [UsersService] })
export class UsersModule {}
