import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListGuides, PublishGuide, SaveGuide, ThisGuide, UpdateGuide } from './guide.dto.js';
import { archiveGuide, getGuide, listGuides, publishGuide, saveGuide, updateGuide } from './guides.operations.js';
import { GuidesService } from './guides.service.js';

@Controller()
export class GuidesController {
  constructor(private readonly guides: GuidesService) {}

  @Handles(listGuides) list(caller: Caller, input: ListGuides) {
    return this.guides.list(caller, input);
  }

  @Handles(getGuide) get(caller: Caller, { guideId }: ThisGuide) {
    return this.guides.get(caller, guideId);
  }

  @Handles(saveGuide) save(caller: Caller, input: SaveGuide) {
    return this.guides.save(caller, input);
  }

  @Handles(updateGuide) update(caller: Caller, input: UpdateGuide) {
    return this.guides.update(caller, input);
  }

  @Handles(publishGuide) publish(caller: Caller, input: PublishGuide) {
    return this.guides.publish(caller, input);
  }

  @Handles(archiveGuide) archive(caller: Caller, { guideId }: ThisGuide) {
    return this.guides.archive(caller, guideId);
  }
}
