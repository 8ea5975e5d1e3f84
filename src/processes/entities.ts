import { ApiKey } from '../auth/api-keys/api-key.entity.js';
import { Approval } from '../auth/approvals/approval.entity.js';
import { Connection } from '../outside/connections/connection.entity.js';
import { AccessCode } from '../features/devices/access-codes/access-code.entity.js';
import { DeviceCommand } from '../features/devices/commands/device-command.entity.js';
import { Device } from '../features/devices/device.entity.js';
import { DeviceReading } from '../features/devices/readings/device-reading.entity.js';
import { Grant } from '../auth/applications/grant.entity.js';
import { WebhookDelivery } from '../outside/webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../outside/webhooks/webhook-endpoint.entity.js';
import { Message } from '../outside/messages/message.entity.js';
import { Suppression } from '../outside/messages/suppression.entity.js';
import { Guide } from '../features/guides/guide.entity.js';
import { Place } from '../features/guides/places/place.entity.js';
import { Translation } from '../features/guides/translations/translation.entity.js';
import { ModelJob } from '../outside/models/model-job.entity.js';
import { Member } from '../tenancy/members/member.entity.js';
import { Organization } from '../tenancy/organizations/organization.entity.js';
import { Property } from '../tenancy/properties/property.entity.js';
import { Role } from '../tenancy/roles/role.entity.js';
import { UnitType } from '../tenancy/unit-types/unit-type.entity.js';
import { Unit } from '../tenancy/units/unit.entity.js';
import { Guest, GuestChange } from '../features/reservations/guest.entity.js';
import { UnitBlock } from '../features/reservations/blocks/unit-block.entity.js';
import { Reservation } from '../features/reservations/reservation.entity.js';
import { TaskComment } from '../features/tasks/comments/comment.entity.js';
import { Task } from '../features/tasks/task.entity.js';
import { EmailTemplate, EmailTemplateVersion } from '../features/templates/template.entity.js';
import { WorkflowRun } from '../features/workflows/runs/run.entity.js';
import { Workflow, WorkflowVersion } from '../features/workflows/workflow.entity.js';
import { User } from '../tenancy/people/user.entity.js';

/** Every table's row class. */
export const entities = [
  AccessCode,
  ApiKey,
  Approval,
  Connection,
  EmailTemplate,
  EmailTemplateVersion,
  Device,
  DeviceCommand,
  DeviceReading,
  Grant,
  Guest,
  GuestChange,
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
  UnitBlock,
  UnitType,
  User,
  WebhookDelivery,
  WebhookEndpoint,
  Workflow,
  WorkflowRun,
  WorkflowVersion,
];
