import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Cursors, idColumn, newId, Table, TenantDatabase, uuidIn } from '#persistence';
import { Grant } from '../../auth/applications/grant.entity.js';
import { OperatorClients } from '../../auth/oauth/operator-clients.service.js';
import { ReservationsService } from '../../features/reservations/reservations.service.js';
import { TemplatesService } from '../../features/templates/templates.service.js';
import { modifyEmailTemplate, writeEmailTemplate } from '../../features/templates/writing/writing.operations.js';
import { MessagesService } from '../../outside/messages/messages.service.js';
import { SuppressionsService } from '../../outside/messages/suppressions.service.js';
import { ModelJob } from '../../outside/models/model-job.entity.js';
import { snapshotOf } from '../../platform/callers/caller-snapshot.js';

const users = idColumn('user');
const clientName = 'Example assistant';

/** What applications, the language model and letters leave behind, as examples: nothing of it acts, and nobody gets a letter. */
@Injectable()
export class DemoExamples {
  private readonly grants: Table<Grant>;
  private readonly jobs: Table<ModelJob>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
    private readonly clients: OperatorClients,
    private readonly templates: TemplatesService,
    private readonly reservations: ReservationsService,
    private readonly suppressions: SuppressionsService,
    private readonly messages: MessagesService,
  ) {
    this.grants = new Table(database, Grant, cursors);
    this.jobs = new Table(database, ModelJob, cursors);
  }

  /** Outside of a transaction, because applications belong to no organization. */
  async add(caller: Caller): Promise<void> {
    const { clientId } = await this.clients.create(clientName, ['https://assistant.example.com/callback']);
    await this.database.transaction(caller.orgId, async () => {
      await this.addApplication(caller, clientId);
      const template = await this.templates.save(caller, welcome);
      await this.templates.publish(caller, { templateId: template.id });
      const draft = { ...welcome, body: later };
      const diff = [{ field: 'body', patch: `-${welcome.body}\n+${later}` }];
      const templateId = template.id;
      await this.addJob(caller, writeEmailTemplate.name, 'A short welcome', { templateId, draft: welcome });
      await this.addJob(caller, modifyEmailTemplate.name, 'Say when they may arrive', { templateId, draft, diff });
      await this.addMessage(caller, template.id);
    });
  }

  /** Approved by the first person, who is the owner, and without a token. */
  private async addApplication({ orgId }: Caller, clientId: string): Promise<void> {
    const [person] = await this.database.rows(
      orgId,
      'select user_id from members where org_id = $1 and user_id is not null order by created_at, id limit 1',
      [uuidIn(orgId)],
    );
    await this.grants.insert(
      Object.assign(new Grant(), {
        orgId,
        id: newId('grant'),
        clientId,
        clientName,
        verified: true,
        userId: users.from(person?.user_id) as string,
        scopes: ['properties:read', 'reservations:read', 'tasks:read'],
        offline: false,
        audience: 'https://assistant.example.com',
        askBefore: 'destructive' as const,
        authenticatedAt: null,
        authenticatedWith: null,
        lastUsedAt: null,
        lastUsedFrom: null,
        revokedAt: null,
        revokedBecause: null,
        ...stamps(),
      }),
    );
  }

  private async addJob(caller: Caller, operation: string, instruction: string, result: object): Promise<void> {
    const { createdAt: now } = stamps();
    await this.jobs.insert(
      Object.assign(new ModelJob(), {
        orgId: caller.orgId,
        id: newId('job'),
        operation,
        propertyId: null,
        status: 'succeeded' as const,
        requestedBy: caller.memberId,
        caller: snapshotOf(caller),
        input: { instruction },
        result: { ...result, warnings: [] },
        error: null,
        usage: {},
        attempts: 1,
        dueAt: null,
        startedAt: now,
        finishedAt: now,
        ...stamps(),
      }),
    );
  }

  /** To an address that is suppressed. */
  private async addMessage(caller: Caller, templateId: string): Promise<void> {
    const guestEmail = 'guest-1@example.com';
    const { items } = await this.reservations.list(caller, { guestEmail, limit: 1 });
    const [stay] = items;
    if (!stay?.primaryGuest) return;
    await this.suppressions.add(caller, { email: guestEmail, covers: 'all' });
    const to = { guestId: stay.primaryGuest.id };
    await this.messages.send(caller, { templateId, to, dedupeKey: 'demo', reservationId: stay.id });
  }
}

const welcome = {
  name: 'Welcome',
  subject: 'Welcome, {{ guest.name }}',
  body: '<p>Dear {{ guest.name }}, your place is ready. We look forward to seeing you.</p>',
  variables: [{ key: 'guest.name', type: 'text' as const, required: false, fallback: 'guest' }],
};

function stamps() {
  const now = new Date().toISOString();
  return { version: 1, createdAt: now, updatedAt: now };
}

const later = '<p>Dear {{ guest.name }}, your place is ready from 15:00. We look forward to seeing you.</p>';
