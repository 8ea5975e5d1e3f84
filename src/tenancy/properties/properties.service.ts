import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { merging, type Page } from '#operations';
import { isSameValue, newId } from '#persistence';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import {
  calendarFeedRotated,
  type PropertyEventData,
  propertyArchived,
  propertyCreated,
  propertyRestored,
  propertyStatusSet,
  propertyUpdated,
} from './properties.events.js';
import { noWifi, propertyInUse, propertyNotFound } from './properties.errors.js';
import { PropertiesRepository } from './properties.repository.js';
import type {
  CalendarFeedView,
  CreateProperty,
  ListProperties,
  SetPropertyStatus,
  UpdateProperty,
  Wifi,
} from './property.dto.js';
import { Property } from './property.entity.js';
import { PropertySecrets } from './property-secrets.js';
import { ReadinessRepository } from '../readiness/readiness.repository.js';
import { Quotas } from '../quotas/quotas.service.js';
import { unreferred } from '../references/external-ref.dto.js';
import { References } from '../references/references.service.js';
import { StaysRepository } from '../stays/stays.repository.js';
import { Followers } from '../followers/followers.js';
import { TimesChanges } from './times-changes.service.js';

@Injectable()
export class PropertiesService {
  constructor(
    private readonly properties: PropertiesRepository,
    private readonly secrets: PropertySecrets,
    private readonly stays: StaysRepository,
    private readonly readiness: ReadinessRepository,
    private readonly followers: Followers,
    private readonly timesChanges: TimesChanges,
    private readonly quotas: Quotas,
    private readonly references: References,
    private readonly events: EventsService,
  ) {}

  /** @throws not_found_error when the credential cannot see it. */
  async get(caller: Caller, propertyId: string): Promise<Property> {
    const property = await this.properties.find(caller, propertyId);
    if (!property) throw propertyNotFound();
    return property;
  }

  /** Those that the credential can see. */
  async getMany(caller: Caller, propertyIds: readonly string[]): Promise<Property[]> {
    return propertyIds.length > 0 ? await this.properties.findMany(caller, [...new Set(propertyIds)]) : [];
  }

  /** The same with what other features know of its condition. */
  async show(caller: Caller, propertyId: string): Promise<Property> {
    const property = await this.get(caller, propertyId);
    await this.readiness.note(caller.orgId, [property]);
    return property;
  }

  /**
   * Locks properties against changes until the transaction ends; changes and archiving wait.
   *
   * @throws not_found_error if the credential cannot see one of them.
   */
  async lock(caller: Caller, propertyIds: readonly string[]): Promise<Property[]> {
    const wanted = new Set(propertyIds);
    const locked = await this.lockKnown(caller, [...wanted]);
    if (locked.length < wanted.size) throw propertyNotFound();
    return locked;
  }

  /** The same for those that the credential can see. */
  async lockKnown(caller: Caller, propertyIds: readonly string[]): Promise<Property[]> {
    return await this.properties.findLocked(caller, [...new Set(propertyIds)]);
  }

  async list(caller: Caller, input: ListProperties): Promise<Page<Property>> {
    await this.references.admit(caller, input);
    const page = await this.properties.list(caller, input);
    await this.readiness.note(caller.orgId, page.items);
    return page;
  }

  async create(caller: Caller, { wifi, externalRefs, ...input }: CreateProperty): Promise<Property> {
    await this.quotas.admit(caller, 'properties');
    const now = new Date().toISOString();
    const id = newId('property');
    const property = await this.properties.insert(
      Object.assign(new Property(), {
        type: 'other' as const,
        address: null,
        geo: null,
        checkInTime: '15:00',
        checkOutTime: '11:00',
        capacity: null,
        automaticTasks: [],
        cleaningStatus: 'clean' as const,
        roomStatusFollowsWork: true,
        tags: [],
        metadata: {},
        ...input,
        externalRefs: (await this.references.merged(caller, 'property', unreferred(id), externalRefs)) ?? [],
        wifi: this.secrets.sealWifi(id, wifi ?? null),
        ...this.secrets.newFeed(id),
        archivedAt: null,
        orgId: caller.orgId,
        id,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }),
    );
    this.properties.scheduleMorning(property);
    this.events.record(caller, propertyCreated, property);
    return property;
  }

  /** New times and a new time zone move the future stays, and with them their tasks and codes. */
  async update(caller: Caller, { propertyId, wifi, externalRefs: given, ...input }: UpdateProperty): Promise<Property> {
    const property = await this.forChange(caller, propertyId);
    const [times, morning] = [timesOf(property), morningOf(property)];
    const hasOtherWifi = wifi !== undefined && !isSameValue(this.secrets.openWifi(property), wifi);
    const externalRefs = await this.references.merged(caller, 'property', property, given);
    const changes = { ...input, externalRefs, ...(hasOtherWifi && { wifi: this.secrets.sealWifi(propertyId, wifi) }) };
    const changed = await this.write(caller, property, changes, propertyUpdated);
    if (morningOf(changed) !== morning) this.properties.scheduleMorning(changed);
    if (timesOf(changed) !== times) await this.timesChanges.begin(caller, changed);
    return changed;
  }

  async setStatus(caller: Caller, { propertyId, cleaningStatus }: SetPropertyStatus): Promise<Property> {
    return await this.write(caller, await this.forChange(caller, propertyId), { cleaningStatus }, propertyStatusSet);
  }

  async archive(caller: Caller, propertyId: string): Promise<Property> {
    const property = await this.forChange(caller, propertyId);
    if (property.archivedAt) return property;
    const stays = await this.stays.toCome(caller.orgId, { propertyId });
    if (stays.length > 0) throw propertyInUse(stays);
    await this.followers.refuseArchiving(caller.orgId, { propertyId });
    return await this.write(caller, property, { archivedAt: new Date().toISOString() }, propertyArchived);
  }

  async restore(caller: Caller, propertyId: string): Promise<Property> {
    const property = await this.forChange(caller, propertyId);
    if (!property.archivedAt) return property;
    await this.quotas.admit(caller, 'properties');
    return await this.write(caller, property, { archivedAt: null }, propertyRestored);
  }

  async revealWifi(caller: Caller, propertyId: string): Promise<Wifi> {
    const wifi = this.secrets.openWifi(await this.get(caller, propertyId));
    if (!wifi) throw noWifi();
    return wifi;
  }

  async revealCalendarFeed(caller: Caller, propertyId: string): Promise<CalendarFeedView> {
    return this.secrets.feedOf(await this.get(caller, propertyId));
  }

  async rotateCalendarFeed(caller: Caller, propertyId: string): Promise<CalendarFeedView> {
    const property = await this.forChange(caller, propertyId);
    return this.secrets.feedOf(
      await this.write(caller, property, this.secrets.newFeed(propertyId), calendarFeedRotated),
    );
  }

  private async write(
    caller: Caller,
    property: Property,
    changes: Partial<Property>,
    happened: ChangeType<PropertyEventData>,
  ): Promise<Property> {
    const before = await this.properties.update(property, merging(property, changes));
    this.events.record(caller, happened, property, before);
    return property;
  }

  private async forChange(caller: Caller, propertyId: string): Promise<Property> {
    const property = await this.properties.findForChange(caller, propertyId);
    if (!property) throw propertyNotFound();
    expectVersion(caller, property);
    await this.readiness.note(caller.orgId, [property]);
    return property;
  }
}

const morningOf = ({ timezone, roomStatusFollowsWork }: Property): string => `${timezone} ${roomStatusFollowsWork}`;
const timesOf = ({ timezone, checkInTime, checkOutTime }: Property): string =>
  `${timezone} ${checkInTime} ${checkOutTime}`;
