import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { AddPlace, ImportPlace, ListPlaces, ThisPlace, UpdatePlace } from '../../../guides/places/place.dto.js';
import { PlaceImports } from './place-imports.js';
import { addPlace, hidePlace, importGuidePlace, listPlaces, updatePlace } from './places.operations.js';
import { PlacesService } from './places.service.js';

@Controller()
export class PlacesController {
  constructor(
    private readonly places: PlacesService,
    private readonly imports: PlaceImports,
  ) {}

  @Handles(listPlaces) list(input: ListPlaces, caller: Caller) {
    return this.places.list(caller, input);
  }

  @Handles(addPlace) add(input: AddPlace, caller: Caller) {
    return this.places.add(caller, input);
  }

  @Handles(importGuidePlace) import(input: ImportPlace, caller: Caller) {
    return this.imports.request(caller, input);
  }

  @Handles(updatePlace) update(input: UpdatePlace, caller: Caller) {
    return this.places.update(caller, input);
  }

  @Handles(hidePlace) hide(input: ThisPlace, caller: Caller) {
    return this.places.hide(caller, input);
  }
}
