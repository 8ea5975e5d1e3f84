import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import { MachineTranslations } from './machine-translations.js';
import type {
  EditTranslation,
  InitializeTranslations,
  ListTranslations,
  RetranslateTexts,
  ThisTranslation,
} from '../../../guides/translations/translation.dto.js';
import {
  approveTranslation,
  editTranslation,
  initializeLanguageTranslations,
  listTranslations,
  retranslateGuideText,
} from './translations.operations.js';
import { TranslationsService } from './translations.service.js';

@Controller()
export class TranslationsController {
  constructor(
    private readonly translations: TranslationsService,
    private readonly machine: MachineTranslations,
  ) {}

  @Handles(listTranslations) list(input: ListTranslations, caller: Caller) {
    return this.translations.list(caller, input);
  }

  @Handles(editTranslation) edit(input: EditTranslation, caller: Caller) {
    return this.translations.edit(caller, input);
  }

  @Handles(initializeLanguageTranslations) initialize(input: InitializeTranslations, caller: Caller) {
    return this.machine.request(caller, initializeLanguageTranslations, input);
  }

  @Handles(retranslateGuideText) retranslate(input: RetranslateTexts, caller: Caller) {
    return this.machine.request(caller, retranslateGuideText, input);
  }

  @Handles(approveTranslation) approve(input: ThisTranslation, caller: Caller) {
    return this.translations.approve(caller, input);
  }
}
