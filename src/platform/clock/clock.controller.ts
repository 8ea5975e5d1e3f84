import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles, type NoInput } from '#operations';
import type { AdvanceClock } from './clock.dto.js';
import { advanceClock, getClock } from './clock.operations.js';
import { ClockService } from './clock.service.js';

@Controller()
export class ClockController {
  constructor(private readonly clock: ClockService) {}

  @Handles(getClock) get(_caller: Caller, _: NoInput) {
    return this.clock.get();
  }

  @Handles(advanceClock) advance(caller: Caller, input: AdvanceClock) {
    return this.clock.advance(caller, input);
  }
}
