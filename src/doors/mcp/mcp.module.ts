import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { EdgeModule } from '../../edge/edge.module.js';
import { ApprovalTasks } from './approval-tasks.service.js';
import { BoundaryMiddleware } from './boundary.middleware.js';
import { ByNameService } from './by-name.service.js';
import { Elicitations } from './elicitations.service.js';
import { McpController } from './mcp.controller.js';
import { MessagesService } from './messages.service.js';
import { ProtocolService } from './protocol.service.js';
import { ResourcesService } from './resources.service.js';
import { ToolCallsService } from './tool-calls.service.js';
import { ToolsService } from './tools.service.js';

@Module({
  imports: [EdgeModule],
  controllers: [McpController],
  providers: [
    ApprovalTasks,
    ByNameService,
    Elicitations,
    MessagesService,
    ProtocolService,
    ResourcesService,
    ToolCallsService,
    ToolsService,
  ],
})
export class McpModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(BoundaryMiddleware).forRoutes('mcp', 'mcp/*path');
  }
}
