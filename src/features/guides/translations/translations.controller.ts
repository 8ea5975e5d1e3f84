import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import { MachineTranslations } from './machine-translations.js';
import type {
  EditTranslation,
  EditTranslations,
  InitializeTranslations,
  ListTranslations,
  RetranslateTexts,
  ThisTranslation,
} from './translation.dto.js';
import {
  approveTranslation,
  editTranslation,
  editTranslations,
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

  @Handles(listTranslations) list(caller: Caller, input: ListTranslations) {
    return this.translations.list(caller, input);
  }

  @Handles(editTranslation) edit(caller: Caller, input: EditTranslation) {
    return this.translations.edit(caller, input);
  }

  @Handles(editTranslations) editMany(caller: Caller, input: EditTranslations) {
    return this.translations.editMany(caller, input);
  }

  @Handles(initializeLanguageTranslations) initialize(caller: Caller, input: InitializeTranslations) {
    return this.machine.request(caller, initializeLanguageTranslations, input);
  }

  @Handles(retranslateGuideText) retranslate(caller: Caller, input: RetranslateTexts) {
    return this.machine.request(caller, retranslateGuideText, input);
  }

  @Handles(approveTranslation) approve(caller: Caller, input: ThisTranslation) {
    return this.translations.approve(caller, input);
  }
}
