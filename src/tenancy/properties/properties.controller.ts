import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import {
  archiveProperty,
  createProperty,
  getProperty,
  listProperties,
  restoreProperty,
  revealCalendarFeed,
  revealWifi,
  rotateCalendarFeed,
  setPropertyStatus,
  updateProperty,
} from './properties.operations.js';
import { PropertiesService } from './properties.service.js';
import type {
  CreateProperty,
  ListProperties,
  SetPropertyStatus,
  ThisProperty,
  UpdateProperty,
} from './property.dto.js';

@Controller()
export class PropertiesController {
  constructor(private readonly properties: PropertiesService) {}

  @Handles(createProperty) create(caller: Caller, input: CreateProperty) {
    return this.properties.create(caller, input);
  }

  @Handles(listProperties) list(caller: Caller, input: ListProperties) {
    return this.properties.list(caller, input);
  }

  @Handles(getProperty) get(caller: Caller, { propertyId }: ThisProperty) {
    return this.properties.show(caller, propertyId);
  }

  @Handles(updateProperty) update(caller: Caller, input: UpdateProperty) {
    return this.properties.update(caller, input);
  }

  @Handles(setPropertyStatus) setStatus(caller: Caller, input: SetPropertyStatus) {
    return this.properties.setStatus(caller, input);
  }

  @Handles(archiveProperty) archive(caller: Caller, { propertyId }: ThisProperty) {
    return this.properties.archive(caller, propertyId);
  }

  @Handles(restoreProperty) restore(caller: Caller, { propertyId }: ThisProperty) {
    return this.properties.restore(caller, propertyId);
  }

  @Handles(revealWifi) revealWifi(caller: Caller, { propertyId }: ThisProperty) {
    return this.properties.revealWifi(caller, propertyId);
  }

  @Handles(revealCalendarFeed) revealCalendarFeed(caller: Caller, { propertyId }: ThisProperty) {
    return this.properties.revealCalendarFeed(caller, propertyId);
  }

  @Handles(rotateCalendarFeed) rotateCalendarFeed(caller: Caller, { propertyId }: ThisProperty) {
    return this.properties.rotateCalendarFeed(caller, propertyId);
  }
}
