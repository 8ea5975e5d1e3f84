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
} from '../../organizations/property.dto.js';

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
    return this.properties.show(caller, propertyId);
  }

  @Handles(updateProperty) update(input: UpdateProperty, caller: Caller) {
    return this.properties.update(caller, input);
  }

  @Handles(setPropertyStatus) setStatus(input: SetPropertyStatus, caller: Caller) {
    return this.properties.setStatus(caller, input);
  }

  @Handles(archiveProperty) archive({ propertyId }: ThisProperty, caller: Caller) {
    return this.properties.archive(caller, propertyId);
  }

  @Handles(restoreProperty) restore({ propertyId }: ThisProperty, caller: Caller) {
    return this.properties.restore(caller, propertyId);
  }

  @Handles(revealWifi) revealWifi({ propertyId }: ThisProperty, caller: Caller) {
    return this.properties.revealWifi(caller, propertyId);
  }

  @Handles(revealCalendarFeed) revealCalendarFeed({ propertyId }: ThisProperty, caller: Caller) {
    return this.properties.revealCalendarFeed(caller, propertyId);
  }

  @Handles(rotateCalendarFeed) rotateCalendarFeed({ propertyId }: ThisProperty, caller: Caller) {
    return this.properties.rotateCalendarFeed(caller, propertyId);
  }
}
