import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type {
  CountAccessCodes,
  CreateAccessCode,
  ListAccessCodes,
  ThisAccessCode,
  UpdateAccessCode,
} from './access-code.dto.js';
import {
  countAccessCodes,
  createAccessCode,
  listAccessCodes,
  regenerateAccessCode,
  removeAccessCode,
  revealAccessCode,
  updateAccessCode,
} from './access-codes.operations.js';
import { AccessCodesService } from './access-codes.service.js';

@Controller()
export class AccessCodesController {
  constructor(private readonly codes: AccessCodesService) {}

  @Handles(listAccessCodes) list(caller: Caller, input: ListAccessCodes) {
    return this.codes.list(caller, input);
  }

  @Handles(countAccessCodes) count(caller: Caller, input: CountAccessCodes) {
    return this.codes.count(caller, input);
  }

  @Handles(createAccessCode) create(caller: Caller, input: CreateAccessCode) {
    return this.codes.create(caller, input);
  }

  @Handles(updateAccessCode) update(caller: Caller, input: UpdateAccessCode) {
    return this.codes.update(caller, input);
  }

  @Handles(regenerateAccessCode) regenerate(caller: Caller, input: ThisAccessCode) {
    return this.codes.regenerate(caller, input);
  }

  @Handles(removeAccessCode) remove(caller: Caller, input: ThisAccessCode) {
    return this.codes.remove(caller, input);
  }

  @Handles(revealAccessCode) reveal(caller: Caller, input: ThisAccessCode) {
    return this.codes.reveal(caller, input);
  }
}
