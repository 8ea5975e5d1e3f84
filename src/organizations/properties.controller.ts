import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import { createProperty, getProperty, listProperties } from './properties.operations.js';
import { PropertiesService } from './properties.service.js';
import type { CreateProperty, ListProperties, ThisProperty } from './property.dto.js';

@Controller()
export class PropertiesController {
  constructor(private readonly properties: PropertiesService) {}

  @Handles(createProperty) create(input: CreateProperty, caller: Caller) {
    return this.properties.create(caller, input);
  }

  @Handles(listProperties) list(input: ListProperties, caller: Caller) {
    return this.properties.list(caller, input);
  }

  @Handles(getProperty) get({ propertyId }: ThisProperty, caller: Caller) {
    return this.properties.get(caller, propertyId);
  }
}
