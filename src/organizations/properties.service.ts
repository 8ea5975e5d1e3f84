import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { newId } from '#persistence';
import type { Page } from '#operations';
import { limitedToProperties, propertyNotFound } from './properties.errors.js';
import { PropertiesRepository } from './properties.repository.js';
import type { CreateProperty, ListProperties } from './property.dto.js';
import { Property } from './property.entity.js';

@Injectable()
export class PropertiesService {
  constructor(private readonly properties: PropertiesRepository) {}

  /** @throws not_found_error when the credential cannot see it. */
  async get(caller: Caller, propertyId: string): Promise<Property> {
    const property = await this.properties.find(caller, propertyId);
    if (!property) throw propertyNotFound();
    return property;
  }

  list(caller: Caller, input: ListProperties): Promise<Page<Property>> {
    return this.properties.list(caller, input);
  }

  async create(caller: Caller, input: CreateProperty): Promise<Property> {
    if (caller.propertyIds) throw limitedToProperties();
    const now = new Date().toISOString();
    return await this.properties.insert(
      Object.assign(new Property(), {
        type: 'other' as const,
        checkInTime: '15:00',
        checkOutTime: '11:00',
        tags: [],
        metadata: {},
        ...input,
        orgId: caller.orgId,
        id: newId('property'),
        version: 1,
        createdAt: now,
        updatedAt: now,
      }),
    );
  }
}
