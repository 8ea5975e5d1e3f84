import { Injectable } from '@nestjs/common';
import { schemaOf } from '#operations';
import { stepKinds } from '../../workflows/definition.dto.js';
import { describedFacts, triggeringEvents } from './facts.js';
import { StepCatalogue } from './step-catalogue.js';
import type { WorkflowCatalogView } from '../../workflows/workflow-catalog.dto.js';

/** What there is to make a workflow of. */
@Injectable()
export class WorkflowCatalog {
  constructor(private readonly steps: StepCatalogue) {}

  show(): WorkflowCatalogView {
    const eventTypes = triggeringEvents().map(({ name, says, data }) => ({
      eventType: name,
      says,
      data: schemaOf(data, { describe: false }),
    }));
    return { eventTypes, operations: this.steps.described(), stepKinds: [...stepKinds], facts: describedFacts() };
  }
}
