import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListGuides, PublishGuide, SaveGuide, ThisGuide, UpdateGuide } from '../../guides/guide.dto.js';
import { archiveGuide, getGuide, listGuides, publishGuide, saveGuide, updateGuide } from './guides.operations.js';
import { GuidesService } from './guides.service.js';

@Controller()
export class GuidesController {
  constructor(private readonly guides: GuidesService) {}

  @Handles(listGuides) list(input: ListGuides, caller: Caller) {
    return this.guides.list(caller, input);
  }

  @Handles(getGuide) get({ guideId }: ThisGuide, caller: Caller) {
    return this.guides.get(caller, guideId);
  }

  @Handles(saveGuide) save(input: SaveGuide, caller: Caller) {
    return this.guides.save(caller, input);
  }

  @Handles(updateGuide) update(input: UpdateGuide, caller: Caller) {
    return this.guides.update(caller, input);
  }

  @Handles(publishGuide) publish(input: PublishGuide, caller: Caller) {
    return this.guides.publish(caller, input);
  }

  @Handles(archiveGuide) archive({ guideId }: ThisGuide, caller: Caller) {
    return this.guides.archive(caller, guideId);
  }
}
