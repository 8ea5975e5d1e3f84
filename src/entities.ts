import { ApiKey } from './auth/api-keys/api-key.entity.js';
import { Connection } from './connections/connection.entity.js';
import { AccessCode } from './devices/access-codes/access-code.entity.js';
import { DeviceCommand } from './devices/commands/device-command.entity.js';
import { Device } from './devices/device.entity.js';
import { DeviceReading } from './devices/readings/device-reading.entity.js';
import { Grant } from './auth/oauth/grant.entity.js';
import { WebhookDelivery } from './events/webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from './events/webhooks/webhook-endpoint.entity.js';
import { Message } from './messages/message.entity.js';
import { Suppression } from './messages/suppression.entity.js';
import { Guide } from './guides/guide.entity.js';
import { Place } from './guides/places/place.entity.js';
import { Translation } from './guides/translations/translation.entity.js';
import { ModelJob } from './models/model-job.entity.js';
import { Member } from './organizations/member.entity.js';
import { Organization } from './organizations/organization.entity.js';
import { Property } from './organizations/property.entity.js';
import { Role } from './organizations/role.entity.js';
import { Unit } from './organizations/unit.entity.js';
import { Guest } from './reservations/guest.entity.js';
import { Reservation } from './reservations/reservation.entity.js';
import { TaskComment } from './tasks/comments/comment.entity.js';
import { Task } from './tasks/task.entity.js';
import { EmailTemplate, EmailTemplateVersion } from './templates/template.entity.js';
import { WorkflowRun } from './workflows/runs/run.entity.js';
import { Workflow, WorkflowVersion } from './workflows/workflow.entity.js';
import { User } from './accounts/user.entity.js';

/** Every table's row class. */
export const entities = [
  AccessCode,
  ApiKey,
  Connection,
  EmailTemplate,
  EmailTemplateVersion,
  Device,
  DeviceCommand,
  DeviceReading,
  Grant,
  Guest,
  Guide,
  Member,
  Message,
  ModelJob,
  Organization,
  Place,
  Property,
  Reservation,
  Role,
  Suppression,
  Task,
  TaskComment,
  Translation,
  Unit,
  User,
  WebhookDelivery,
  WebhookEndpoint,
  Workflow,
  WorkflowRun,
  WorkflowVersion,
];
