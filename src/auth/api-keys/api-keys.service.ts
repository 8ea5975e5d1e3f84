import { Inject, Injectable } from '@nestjs/common';
import { type Caller, expectVersion, isMember } from '#access';
import type { Page } from '#operations';
import { newApiKey } from '#regions';
import { Keyring } from '#secrets';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { EventsService } from '../../platform/events/events.service.js';
import { machineFor } from '../../tenancy/members/member.entity.js';
import { MembersRepository } from '../../tenancy/members/members.repository.js';
import { memberAdded } from '../../tenancy/members/members.events.js';
import { OrganizationsRepository } from '../../tenancy/organizations/organizations.repository.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { propertyLimit, refuseBeyondLimit } from '../../tenancy/properties/property-limit.js';
import { Quotas } from '../../tenancy/quotas/quotas.service.js';
import {
  type CreateApiKey,
  defaultOverlapSeconds,
  type ListApiKeys,
  lowestRatePerMinute,
  type RotateApiKey,
} from './api-key.dto.js';
import { type ApiKey, newKey } from './api-key.entity.js';
import { apiKeyCreated, apiKeyRevoked, apiKeyRotated } from './api-keys.events.js';
import {
  addressesBeyondCreator,
  apiKeyHasEnded,
  apiKeyHasSuccessor,
  apiKeyNotFound,
  expiresInThePast,
  expiresTooLate,
  makerHasEnded,
  notAnActiveMachine,
} from './api-keys.errors.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { addressesFor, isWithinLimit, makerOf, scopesFor, visiblePart } from './new-key.js';

const dayMs = 86_400_000;

@Injectable()
export class ApiKeysService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keyring: Keyring,
    private readonly keys: ApiKeysRepository,
    private readonly members: MembersRepository,
    private readonly properties: PropertiesService,
    private readonly organizations: OrganizationsRepository,
    private readonly quotas: Quotas,
    private readonly events: EventsService,
  ) {}

  async create(caller: Caller, input: CreateApiKey): Promise<ApiKey & { key: string }> {
    await this.lockCreator(caller);
    const propertyIds = await propertyLimit(caller, this.properties, input.propertyIds ?? null);
    const memberId = input.memberId ?? (await this.addMachine(caller, input.name));
    if (input.memberId) await this.refuseUnlessMachine(caller.orgId, input.memberId);
    const allowedAddresses = addressesFor(caller, input.allowedAddresses ?? null);
    const expiresAt = await this.expiryFor(caller, input.expiresAt ?? null);
    const { record, key } = this.draft(caller, { ...input, propertyIds, memberId, allowedAddresses, expiresAt });
    await this.quotas.admit(caller, 'apiKeys');
    await this.quotas.admitValue(caller, 'keyRatePerMinute', record.ratePerMinute);
    await this.keys.insert(record);
    this.inheritMakersRules(caller, record);
    this.events.record(caller, apiKeyCreated, record);
    return Object.assign(record, { key });
  }

  /**
   * Creates a key and its record without storing them.
   *
   * @param chosen an operator's own key (ADMIN_API_KEY); random if omitted.
   */
  draft(caller: Caller, input: CreateApiKey & { memberId: string }, chosen?: string): { record: ApiKey; key: string } {
    const expiresAt = input.expiresAt ? new Date(input.expiresAt).toISOString() : null;
    if (expiresAt && expiresAt <= new Date().toISOString()) throw expiresInThePast();
    const key = chosen ?? newApiKey(this.config.environment, this.config.region);
    const record = newKey({
      orgId: caller.orgId,
      name: input.name,
      memberId: input.memberId,
      hash: this.keyring.hash(key),
      prefix: visiblePart(key),
      scopes: scopesFor(caller, input.scopes, this.config.environment),
      propertyIds: input.propertyIds ?? null,
      allowedAddresses: input.allowedAddresses ?? null,
      ratePerMinute: input.ratePerMinute ?? lowestRatePerMinute,
      expiresAt,
      ...makerOf(caller),
    });
    return { record, key };
  }

  list(caller: Caller, input: ListApiKeys): Promise<Page<ApiKey>> {
    return this.keys.list(caller.orgId, input);
  }

  async get(caller: Caller, keyId: string): Promise<ApiKey> {
    const key = await this.keys.find(caller.orgId, keyId);
    if (!key) throw apiKeyNotFound();
    return key;
  }

  async revoke(caller: Caller, keyId: string): Promise<ApiKey> {
    const key = await this.keys.findForChange(caller.orgId, keyId);
    if (!key) throw apiKeyNotFound();
    refuseBeyondLimit(caller, key.propertyIds);
    expectVersion(caller, key);
    if (key.revokedAt) return key;
    const before = await this.keys.update(key, { revokedAt: new Date().toISOString(), revokedBecause: 'requested' });
    this.events.record(caller, apiKeyRevoked, key, before);
    return key;
  }

  private async addMachine(caller: Caller, name: string): Promise<string> {
    const machine = await this.members.insert(machineFor(caller.orgId, name, caller.propertyIds));
    this.events.record(caller, memberAdded, machine);
    return machine.id;
  }

  /**
   * A successor with the same member, scopes, properties, limit and expiry. Rotation shows a secret with all that the
   * key may do, so the caller needs all of its permissions. The expiry of a rotated key is the end of its overlap,
   * which successors do not inherit.
   *
   * @throws conflict_error for a key that has ended or already has a successor; authorization_error for one with more
   *   permissions than the caller.
   */
  async rotate(
    caller: Caller,
    { keyId, overlapSeconds = defaultOverlapSeconds }: RotateApiKey,
  ): Promise<ApiKey & { key: string }> {
    await this.lockCreator(caller, keyId);
    const old = await this.keys.findForChange(caller.orgId, keyId);
    if (!old) throw apiKeyNotFound();
    refuseBeyondLimit(caller, old.propertyIds);
    expectVersion(caller, old);
    if (old.successorId) throw apiKeyHasSuccessor(old.successorId);
    if (old.status !== 'active') throw apiKeyHasEnded(old.status);
    await this.refuseUnlessMachine(caller.orgId, old.memberId);
    const { name, memberId, scopes, propertyIds, allowedAddresses, ratePerMinute, expiresAt } = old;
    if (!isWithinLimit(caller, allowedAddresses)) throw addressesBeyondCreator();
    const latest = await this.latestExpiry(caller.orgId);
    const { record, key } = this.draft(caller, {
      name,
      memberId,
      scopes,
      propertyIds,
      allowedAddresses,
      ratePerMinute,
      expiresAt: earlier(expiresAt, latest),
    });
    const endsAt = new Date(Date.now() + overlapSeconds * 1_000).toISOString();
    await this.keys.insert(record);
    this.keys.inheritRules(caller.orgId, old.id, record.id);
    this.inheritMakersRules(caller, record);
    const before = await this.keys.update(old, { expiresAt: earlier(expiresAt, endsAt), successorId: record.id });
    this.events.record(caller, apiKeyRotated, old, before);
    this.events.record(caller, apiKeyCreated, record);
    return Object.assign(record, { key });
  }

  private inheritMakersRules({ credential }: Caller, { orgId, id }: ApiKey): void {
    if (credential.kind === 'api-key') this.keys.inheritRules(orgId, credential.id, id);
  }

  /** A key must not be created while a concurrent request ends its creator. */
  private async lockCreator(caller: Caller, keyId?: string): Promise<void> {
    if (isMember(caller) && !(await this.keys.lockCreator(caller, keyId))) throw makerHasEnded();
  }

  /** The organization's longest permitted lifetime is also the default. */
  private async expiryFor({ orgId }: Caller, asked: string | null): Promise<string | null> {
    const latest = await this.latestExpiry(orgId);
    if (latest && asked && new Date(asked).toISOString() > latest) throw expiresTooLate(latest);
    return asked ?? latest;
  }

  private async latestExpiry(orgId: string): Promise<string | null> {
    const { maxKeyDays } = await this.organizations.get(orgId);
    return maxKeyDays === null ? null : new Date(Date.now() + maxKeyDays * dayMs).toISOString();
  }

  private async refuseUnlessMachine(orgId: string, memberId: string): Promise<void> {
    const member = await this.members.find(orgId, memberId);
    if (member?.kind !== 'machine' || member.status !== 'active') throw notAnActiveMachine();
  }
}

/** Null is never. */
const earlier = (one: string | null, other: string | null): string | null =>
  one && other ? (one < other ? one : other) : (one ?? other);
