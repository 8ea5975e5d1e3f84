import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { DevicesService } from '../../features/devices/devices.service.js';
import { WorkflowsService } from '../../features/workflows/workflows.service.js';
import { SuppressionsService } from '../../outside/messages/suppressions.service.js';
import { WebhookEndpointsService } from '../../outside/webhooks/webhook-endpoints.service.js';
import { RolesService } from '../../tenancy/roles/roles.service.js';

/** What happens automatically in the demo, in the name of a member who is there already. */
@Injectable()
export class DemoAutomation {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly workflows: WorkflowsService,
    private readonly suppressions: SuppressionsService,
    private readonly devices: DevicesService,
    private readonly roles: RolesService,
  ) {}

  /** Before the stays, so that there are deliveries about them; they fail, because nobody has this address. */
  async addReceiver(caller: Caller): Promise<void> {
    await this.endpoints.create(caller, {
      url: 'https://receiver.example.com/webhooks',
      eventTypes: ['reservation.cancelled'],
      description: 'An example without a receiver: its deliveries fail',
    });
  }

  /** After the devices, in a transaction of its own: a workflow that locks a door and makes a task runs once. */
  async addWorkflow(caller: Caller): Promise<void> {
    await this.roles.create(caller, { name: 'night porter', permissions: ['reservations:read', 'tasks:read'] });
    await this.suppressions.add(caller, { email: 'no-letters@example.com', covers: 'all' });
    const { items } = await this.devices.list(caller, { type: 'lock' });
    const lock = items.find(({ propertyId }) => propertyId !== null);
    if (!lock) return;
    const { id: workflowId } = await this.workflows.save(caller, {
      name: 'Close for the night',
      description: 'Locks the front door and asks somebody to look around.',
      trigger: { kind: 'manual' },
      steps: [
        { id: 'lock', kind: 'operation', operation: 'lockDevice', input: { deviceId: lock.id } },
        {
          id: 'look',
          kind: 'operation',
          operation: 'createTask',
          input: { name: 'Look around before the night', propertyId: lock.propertyId },
        },
      ],
    });
    await this.workflows.activate(caller, { workflowId });
    await this.workflows.run(caller, { workflowId });
  }
}
