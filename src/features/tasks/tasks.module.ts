import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { AttachmentStore } from './attachments/attachment-store.js';
import { AttachmentsController } from './attachments/attachments.controller.js';
import { AttachmentsService } from './attachments/attachments.service.js';
import { FileSweep } from './attachments/file-sweep.js';
import { FilesRepository } from './attachments/files.repository.js';
import { KeptFilesRepository } from './attachments/kept-files.repository.js';
import { LocalDiskStore } from './attachments/local-disk.store.js';
import { BulkChanges } from './bulk-changes.service.js';
import { CommentsRepository } from './comments/comments.repository.js';
import { RecurrencesRepository } from './recurrence/recurrences.repository.js';
import { RecurrencesService } from './recurrence/recurrences.service.js';
import { RoomWork } from './room-work.service.js';
import { TaskPlanner } from './task-planner.js';
import { TaskPutBacks } from './task-put-backs.service.js';
import { TaskRoomsRepository } from './task-rooms.repository.js';
import { TaskRules } from './task-rules.service.js';
import { TasksController } from './tasks.controller.js';
import { TasksRepository } from './tasks.repository.js';
import { TasksService } from './tasks.service.js';

/** Where links to files lead, outside /api/v1. */
@Module({
  imports: [OrganizationsModule],
  controllers: [AttachmentsController],
  providers: [
    AttachmentsService,
    FileSweep,
    FilesRepository,
    KeptFilesRepository,
    { provide: AttachmentStore, useClass: LocalDiskStore },
  ],
  exports: [AttachmentsService, AttachmentStore],
})
export class AttachmentsModule {}

@Module({
  imports: [EventsModule, OrganizationsModule, AttachmentsModule],
  controllers: [TasksController],
  providers: [
    BulkChanges,
    CommentsRepository,
    RecurrencesRepository,
    RecurrencesService,
    RoomWork,
    TaskPlanner,
    TaskPutBacks,
    TaskRoomsRepository,
    TaskRules,
    TasksRepository,
    TasksService,
  ],
  exports: [RecurrencesService, TaskPlanner, TasksRepository, TasksService],
})
export class TasksModule {}
