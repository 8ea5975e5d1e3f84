import 'reflect-metadata';
import { Body, Controller, Get, Headers, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createTask, getTask, listTasks, orgOf, port, ready } from './database.js';

@Controller('api/v1/tasks')
class TasksController {
  @Get()
  async list(@Headers('authorization') authorization: string): Promise<object> {
    return { data: await listTasks(await orgOf(authorization)) };
  }

  @Get(':id')
  async get(@Headers('authorization') authorization: string, @Param('id') id: string): Promise<object> {
    return { data: await getTask(await orgOf(authorization), id) };
  }

  @Post()
  async create(
    @Headers('authorization') authorization: string,
    @Body() input: Record<string, unknown>,
  ): Promise<object> {
    return { data: await createTask(await orgOf(authorization), input) };
  }
}

@Module({ controllers: [TasksController] })
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false });
app.set('etag', false).disable('x-powered-by');
await app.listen(port, '127.0.0.1');
ready();
