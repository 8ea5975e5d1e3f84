import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { GetAvailability } from './availability.dto.js';
import { getAvailability } from './availability.operations.js';
import { Availability } from './availability.service.js';

@Controller()
export class AvailabilityController {
  constructor(private readonly availability: Availability) {}

  @Handles(getAvailability) get(caller: Caller, input: GetAvailability) {
    return this.availability.get(caller, input);
  }
}
