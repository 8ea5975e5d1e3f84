import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import { DryRuns } from './dry-runs.service.js';
import type { TestWorkflow } from './dry-run.dto.js';
import { WorkflowCatalog } from './workflow-catalog.js';
import type { GetWorkflowCatalog } from './workflow-catalog.dto.js';
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

  @Handles(listWorkflows) list(caller: Caller, input: ListWorkflows) {
    return this.workflows.list(caller, input);
  }

  @Handles(getWorkflow) get(caller: Caller, input: GetWorkflow) {
    return this.workflows.get(caller, input);
  }

  @Handles(getWorkflowCatalog) catalog(_caller: Caller, input: GetWorkflowCatalog) {
    return Promise.resolve(this.catalogue.show(input));
  }

  @Handles(saveWorkflow) save(caller: Caller, input: SaveWorkflow) {
    return this.workflows.save(caller, input);
  }

  @Handles(updateWorkflow) update(caller: Caller, input: UpdateWorkflow) {
    return this.workflows.update(caller, input);
  }

  @Handles(generateWorkflow) generate(caller: Caller, input: GenerateWorkflow) {
    return this.writer.create(caller, input);
  }

  @Handles(modifyWorkflow) modify(caller: Caller, input: ModifyWorkflow) {
    return this.writer.modify(caller, input);
  }

  @Handles(testWorkflow) test(caller: Caller, input: TestWorkflow) {
    return this.dryRuns.tryOut(caller, input);
  }

  @Handles(activateWorkflow) activate(caller: Caller, input: ActivateWorkflow) {
    return this.workflows.activate(caller, input);
  }

  @Handles(pauseWorkflow) pause(caller: Caller, input: ThisWorkflow) {
    return this.workflows.pause(caller, input.workflowId);
  }

  @Handles(runWorkflow) run(caller: Caller, input: RunWorkflow) {
    return this.workflows.run(caller, input);
  }

  @Handles(archiveWorkflow) archive(caller: Caller, input: ThisWorkflow) {
    return this.workflows.archive(caller, input.workflowId);
  }

  @Handles(revealWorkflowSecret) revealSecret(caller: Caller, input: ThisWorkflow) {
    return this.workflows.secretOf(caller, input.workflowId);
  }
}
