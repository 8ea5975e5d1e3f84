import { Injectable } from '@nestjs/common';
import { schemaOf } from '#operations';
import { stepKinds } from './step.dto.js';
import { describedFacts, triggeringEvents } from './facts.js';
import { StepCatalogue } from './step-catalogue.js';
import type { WorkflowCatalogView } from './workflow-catalog.dto.js';

/** The parts from which a workflow can be built. */
@Injectable()
export class WorkflowCatalog {
  constructor(private readonly steps: StepCatalogue) {}

  show(): WorkflowCatalogView {
    const eventTypes = triggeringEvents().map(({ name, description, data }) => ({
      eventType: name,
      says: description,
      data: schemaOf(data, { describe: false }),
    }));
    return { eventTypes, operations: this.steps.described(), stepKinds: [...stepKinds], facts: describedFacts() };
  }
}
