import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { AddPlace, ImportPlace, ListPlaces, ThisPlace, UpdatePlace } from './place.dto.js';
import { PlaceImports } from './place-imports.js';
import { addPlace, hidePlace, importGuidePlace, listPlaces, updatePlace } from './places.operations.js';
import { PlacesService } from './places.service.js';

@Controller()
export class PlacesController {
  constructor(
    private readonly places: PlacesService,
    private readonly imports: PlaceImports,
  ) {}

  @Handles(listPlaces) list(caller: Caller, input: ListPlaces) {
    return this.places.list(caller, input);
  }

  @Handles(addPlace) add(caller: Caller, input: AddPlace) {
    return this.places.add(caller, input);
  }

  @Handles(importGuidePlace) import(caller: Caller, input: ImportPlace) {
    return this.imports.request(caller, input);
  }

  @Handles(updatePlace) update(caller: Caller, input: UpdatePlace) {
    return this.places.update(caller, input);
  }

  @Handles(hidePlace) hide(caller: Caller, input: ThisPlace) {
    return this.places.hide(caller, input);
  }
}
