import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateAccessCode, ListAccessCodes, ThisAccessCode, UpdateAccessCode } from '../../../devices/access-codes/access-code.dto.js';
import {
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

  @Handles(listAccessCodes) list(input: ListAccessCodes, caller: Caller) {
    return this.codes.list(caller, input);
  }

  @Handles(createAccessCode) create(input: CreateAccessCode, caller: Caller) {
    return this.codes.create(caller, input);
  }

  @Handles(updateAccessCode) update(input: UpdateAccessCode, caller: Caller) {
    return this.codes.update(caller, input);
  }

  @Handles(regenerateAccessCode) regenerate(input: ThisAccessCode, caller: Caller) {
    return this.codes.regenerate(caller, input);
  }

  @Handles(removeAccessCode) remove(input: ThisAccessCode, caller: Caller) {
    return this.codes.remove(caller, input);
  }

  @Handles(revealAccessCode) reveal(input: ThisAccessCode, caller: Caller) {
    return this.codes.reveal(caller, input);
  }
}
