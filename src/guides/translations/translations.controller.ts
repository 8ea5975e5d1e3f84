import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { EditTranslation, ListTranslations, ThisTranslation } from './translation.dto.js';
import { approveTranslation, editTranslation, listTranslations } from './translations.operations.js';
import { TranslationsService } from './translations.service.js';

@Controller()
export class TranslationsController {
  constructor(private readonly translations: TranslationsService) {}

  @Handles(listTranslations) list(input: ListTranslations, caller: Caller) {
    return this.translations.list(caller, input);
  }

  @Handles(editTranslation) edit(input: EditTranslation, caller: Caller) {
    return this.translations.edit(caller, input);
  }

  @Handles(approveTranslation) approve(input: ThisTranslation, caller: Caller) {
    return this.translations.approve(caller, input);
  }
}
