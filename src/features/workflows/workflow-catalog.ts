import { Injectable } from '@nestjs/common';
import { invalidField } from '#errors';
import { schemaOf } from '#operations';
import { stepKinds } from './step.dto.js';
import { describedFacts, triggeringEvents } from './facts.js';
import { StepCatalogue } from './step-catalogue.js';
import type { GetWorkflowCatalog, WorkflowCatalogView, WorkflowEventType } from './workflow-catalog.dto.js';

/** The parts from which a workflow can be built: all of them, one line for each, or one of them. */
@Injectable()
export class WorkflowCatalog {
  constructor(private readonly steps: StepCatalogue) {}

  show({ summary = false, name }: GetWorkflowCatalog): WorkflowCatalogView | WorkflowCatalogView[] {
    if (name !== undefined) return this.entry(name, summary);
    if (summary) return this.entries().map(lineOf);
    const operations = this.steps.described();
    return { eventTypes: eventTypes(), operations, stepKinds: [...stepKinds], facts: describedFacts() };
  }

  private entry(name: string, summary: boolean): WorkflowCatalogView {
    const entry = this.entries().find((one) => one.name === name);
    if (!entry) throw invalidField(['name'], 'Unknown event or operation. Pass summary=true to list their names.');
    return summary ? lineOf(entry) : entry;
  }

  private entries(): WorkflowCatalogView[] {
    return [
      ...eventTypes().map(({ eventType, says, data }) => {
        return { kind: 'event' as const, name: eventType, summary: says, schema: data };
      }),
      ...this.steps.described().map(({ operation, title, description, permission, input }) => {
        const summary = `${title}. ${description}`;
        return { kind: 'operation' as const, name: operation, summary, permission, schema: input };
      }),
    ];
  }
}

const eventTypes = (): WorkflowEventType[] =>
  triggeringEvents().map(({ name, description, data }) => {
    return { eventType: name, says: description, data: schemaOf(data, { describe: false }) };
  });

const lineOf = ({ kind, name, summary }: WorkflowCatalogView): WorkflowCatalogView => ({ kind, name, summary });
