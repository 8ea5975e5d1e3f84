import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { deletionOf, type DeletionView, type Page } from '#operations';
import { newId } from '#persistence';
import { Keyring } from '#secrets';
import { EventsService } from '../../platform/events/events.service.js';
import type { Originator } from '../../platform/events/originator.js';
import { alreadySuppressed, suppressionNotFound } from './messages.errors.js';
import { suppressionAdded, suppressionRemoved } from './messages.events.js';
import type { AddSuppression, ListSuppressions } from './suppression.dto.js';
import { Suppression } from './suppression.entity.js';
import { SuppressionsRepository } from './suppressions.repository.js';

/**
 * Addresses that receive no messages. They are matched by keyed hashes, so the list outlives an erased guest and
 * identifies nobody.
 */
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

  async add(by: Originator, input: AddSuppression): Promise<Suppression> {
    const { suppression, isNew } = await this.ensure(by, input);
    if (!isNew) throw alreadySuppressed(suppression.id);
    return suppression;
  }

  /** Suppresses an address. An existing suppression stays unchanged. */
  async ensure(by: Originator, input: AddSuppression): Promise<{ suppression: Suppression; isNew: boolean }> {
    const { orgId } = by;
    const { email, covers = 'all', reason = 'manual' } = input;
    const known = await this.suppressions.findByHash(orgId, this.hashes(orgId, email));
    if (known) return { suppression: known, isNew: false };
    const suppression = Object.assign(new Suppression(), {
      orgId,
      id: newId('suppression'),
      addressHash: this.keyring.hash(addressIn(orgId, email)),
      covers,
      reason,
      createdAt: new Date().toISOString(),
    });
    if (!(await this.suppressions.insertOnce(suppression))) return await this.ensure(by, input);
    this.events.record(by, suppressionAdded, suppression);
    return { suppression, isNew: true };
  }

  async remove(caller: Caller, suppressionId: string): Promise<DeletionView> {
    const suppression = await this.suppressions.find(caller.orgId, suppressionId);
    if (!suppression) throw suppressionNotFound();
    await this.suppressions.delete(suppression);
    this.events.record(caller, suppressionRemoved, null, suppression);
    return deletionOf(suppressionId);
  }

  /** Whether an address is suppressed. */
  async stops(orgId: string, email: string, { marketing }: { marketing: boolean }): Promise<boolean> {
    const found = await this.suppressions.findByHash(orgId, this.hashes(orgId, email));
    return found !== undefined && (found.covers === 'all' || marketing);
  }

  private hashes(orgId: string, email: string): Buffer[] {
    return this.keyring.hashes(addressIn(orgId, email));
  }
}

/** The organization is part of the hash, so two organizations' hashes of one address have nothing in common. */
const addressIn = (orgId: string, email: string): string => `${orgId} ${email.trim().toLowerCase()}`;
