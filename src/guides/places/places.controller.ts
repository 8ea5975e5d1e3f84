import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { AddPlace, ListPlaces, ThisPlace, UpdatePlace } from './place.dto.js';
import { addPlace, hidePlace, listPlaces, updatePlace } from './places.operations.js';
import { PlacesService } from './places.service.js';

@Controller()
export class PlacesController {
  constructor(private readonly places: PlacesService) {}

  @Handles(listPlaces) list(input: ListPlaces, caller: Caller) {
    return this.places.list(caller, input);
  }

  @Handles(addPlace) add(input: AddPlace, caller: Caller) {
    return this.places.add(caller, input);
  }

  @Handles(updatePlace) update(input: UpdatePlace, caller: Caller) {
    return this.places.update(caller, input);
  }

  @Handles(hidePlace) hide(input: ThisPlace, caller: Caller) {
    return this.places.hide(caller, input);
  }
}
