import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { newId } from '#persistence';
import { Keyring } from '#secrets';
import { type DeletionView, deletionOf } from '../deletion.js';
import { EventsService, type Originator } from '../events/events.service.js';
import { alreadySuppressed, suppressionIsEverywhere, suppressionNotFound } from './messages.errors.js';
import { suppressionAdded, suppressionRemoved } from './messages.events.js';
import type { AddSuppression, ListSuppressions } from './suppression.dto.js';
import { Suppression } from './suppression.entity.js';
import { SuppressionsRepository } from './suppressions.repository.js';

/** Who gets no messages. Addresses are matched by keyed hashes, so the list outlives an erased guest and names nobody. */
@Injectable()
export class SuppressionsService {
  constructor(
    private readonly suppressions: SuppressionsRepository,
    private readonly keyring: Keyring,
    private readonly events: EventsService,
  ) {}

  list({ orgId }: Caller, input: ListSuppressions): Promise<Page<Suppression>> {
    return this.suppressions.list(
      orgId,
      input,
      input.email === undefined ? undefined : this.hashes(orgId, input.email),
    );
  }

  async add(by: Originator, { email, covers = 'all', reason = 'manual' }: AddSuppression): Promise<Suppression> {
    const { orgId } = by;
    const suppression = Object.assign(new Suppression(), {
      orgId,
      id: newId('suppression'),
      addressHash: this.keyring.hash(addressIn(orgId, email)),
      covers,
      reason,
      createdAt: new Date().toISOString(),
    });
    const known = await this.suppressions.findByHash(orgId, this.hashes(orgId, email));
    if (known) throw alreadySuppressed(known.id);
    if (!(await this.suppressions.insertOnce(suppression))) return await this.add(by, { email, covers, reason });
    this.events.record(by, suppressionAdded, suppression);
    return suppression;
  }

  async remove(caller: Caller, suppressionId: string): Promise<DeletionView> {
    if (caller.propertyIds) throw suppressionIsEverywhere();
    const suppression = await this.suppressions.find(caller.orgId, suppressionId);
    if (!suppression) throw suppressionNotFound();
    await this.suppressions.delete(suppression);
    this.events.record(caller, suppressionRemoved, suppression);
    return deletionOf(suppressionId);
  }

  /** Whether an address is to be spared a message. */
  async stops(orgId: string, email: string, { marketing }: { marketing: boolean }): Promise<boolean> {
    const found = await this.suppressions.findByHash(orgId, this.hashes(orgId, email));
    return found !== undefined && (found.covers === 'all' || marketing);
  }

  private hashes(orgId: string, email: string): Buffer[] {
    return this.keyring.hashes(addressIn(orgId, email));
  }
}

/** The organization is in it, so that two organizations' hashes of one address have nothing in common. */
const addressIn = (orgId: string, email: string): string => `${orgId} ${email.trim().toLowerCase()}`;
