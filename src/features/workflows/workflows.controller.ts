import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import { DryRuns } from './dry-runs.service.js';
import type { TestWorkflow } from '../../workflows/dry-run.dto.js';
import { WorkflowCatalog } from './workflow-catalog.js';
import type { GetWorkflowCatalog } from '../../workflows/workflow-catalog.dto.js';
import type {
  ActivateWorkflow,
  GetWorkflow,
  ListWorkflows,
  RunWorkflow,
  SaveWorkflow,
  ThisWorkflow,
  UpdateWorkflow,
} from './workflow.dto.js';
import {
  activateWorkflow,
  archiveWorkflow,
  getWorkflow,
  getWorkflowCatalog,
  listWorkflows,
  pauseWorkflow,
  revealWorkflowSecret,
  runWorkflow,
  saveWorkflow,
  testWorkflow,
  updateWorkflow,
} from './workflows.operations.js';
import { WorkflowsService } from './workflows.service.js';
import { WorkflowWriter } from './writing/workflow-writer.js';
import type { GenerateWorkflow, ModifyWorkflow } from './writing/writing.dto.js';
import { generateWorkflow, modifyWorkflow } from './writing/writing.operations.js';

@Controller()
export class WorkflowsController {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly catalogue: WorkflowCatalog,
    private readonly dryRuns: DryRuns,
    private readonly writer: WorkflowWriter,
  ) {}

  @Handles(listWorkflows) list(input: ListWorkflows, caller: Caller) {
    return this.workflows.list(caller, input);
  }

  @Handles(getWorkflow) get(input: GetWorkflow, caller: Caller) {
    return this.workflows.get(caller, input);
  }

  @Handles(getWorkflowCatalog) catalog(_: GetWorkflowCatalog) {
    return Promise.resolve(this.catalogue.show());
  }

  @Handles(saveWorkflow) save(input: SaveWorkflow, caller: Caller) {
    return this.workflows.save(caller, input);
  }

  @Handles(updateWorkflow) update(input: UpdateWorkflow, caller: Caller) {
    return this.workflows.update(caller, input);
  }

  @Handles(generateWorkflow) generate(input: GenerateWorkflow, caller: Caller) {
    return this.writer.create(caller, input);
  }

  @Handles(modifyWorkflow) modify(input: ModifyWorkflow, caller: Caller) {
    return this.writer.modify(caller, input);
  }

  @Handles(testWorkflow) test(input: TestWorkflow, caller: Caller) {
    return this.dryRuns.tryOut(caller, input);
  }

  @Handles(activateWorkflow) activate(input: ActivateWorkflow, caller: Caller) {
    return this.workflows.activate(caller, input);
  }

  @Handles(pauseWorkflow) pause(input: ThisWorkflow, caller: Caller) {
    return this.workflows.pause(caller, input.workflowId);
  }

  @Handles(runWorkflow) run(input: RunWorkflow, caller: Caller) {
    return this.workflows.run(caller, input);
  }

  @Handles(archiveWorkflow) archive(input: ThisWorkflow, caller: Caller) {
    return this.workflows.archive(caller, input.workflowId);
  }

  @Handles(revealWorkflowSecret) revealSecret(input: ThisWorkflow, caller: Caller) {
    return this.workflows.secretOf(caller, input.workflowId);
  }
}
