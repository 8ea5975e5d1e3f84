import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { invalidInput, type Issue, ServiceError } from '#errors';
import { idPattern, readInput } from '#operations';
import { Outbound, OutboundError } from '#outbound';
import { missingFor } from '../../platform/events/readable-events.js';
import { type ActingMember, ActingMembersRepository } from '../../tenancy/members/acting-members.repository.js';
import type { WorkflowStep, WorkflowTrigger } from '../../workflows/definition.dto.js';
import { type Definition, placedSteps, type Step } from '../../workflows/definition.js';
import {
  conditionIssues,
  emailIssues,
  literalIds,
  type Place,
  referenceIssues,
  startIssues,
  triggerFaults,
  waitIssues,
} from './definition-issues.js';
import { issuesOf, readSteps, triggerIssues } from '../../workflows/definition-reader.js';
import { type Made, sampleFacts } from './facts.js';
import { KnownRecordsRepository } from './known-records.repository.js';
import { filledIn } from './references.js';
import { StepCatalogue } from './step-catalogue.js';

type Path = Issue['path'];

const actor = 'The member that the workflow runs as';
const writer = 'This credential';

/** Whether a definition can work: what is wrong with it is said before it is kept, and not when it runs. */
@Injectable()
export class DefinitionChecks {
  constructor(
    private readonly catalogue: StepCatalogue,
    private readonly records: KnownRecordsRepository,
    private readonly members: ActingMembersRepository,
    private readonly outbound: Outbound,
  ) {}

  /**
   * A definition as it was given, with its steps read.
   *
   * @param before its trigger up to now, which may stay as it is.
   * @throws validation_error with an issue for everything that is wrong.
   */
  async read(
    caller: Caller,
    others: Omit<Definition, 'steps'>,
    given: WorkflowStep[],
    before?: WorkflowTrigger,
  ): Promise<Definition> {
    const issues: Issue[] = [];
    const definition = { ...others, steps: readSteps(given, issues) };
    if (issues.length === 0) issues.push(...(await this.issuesFor(caller, definition, before)));
    if (issues.length > 0) throw invalidInput(issues);
    return definition;
  }

  /** @param caller who writes it, and has nothing done that it may not do itself. */
  async issuesFor(caller: Caller, definition: Definition, before?: WorkflowTrigger): Promise<Issue[]> {
    const member = await this.members.find(caller.orgId, definition.runAsMemberId);
    return [
      ...this.formIssues(definition),
      ...startIssues(definition.trigger, before),
      ...(await this.recordIssues(caller.orgId, definition)),
      ...this.permissionIssues(definition, caller.permissions, writer),
      ...(member ? this.permissionIssues(definition, member.permissions, actor) : []),
      ...loanIssues(caller, member),
    ];
  }

  /** What stands in the way of having anything run as that member. */
  async memberIssues(caller: Caller, memberId: string): Promise<Issue[]> {
    return loanIssues(caller, await this.members.find(caller.orgId, memberId));
  }

  /** What stands in the way of having it act now. */
  async activationIssues(orgId: string, definition: Definition): Promise<Issue[]> {
    const member = await this.members.find(orgId, definition.runAsMemberId);
    return [
      ...this.formIssues(definition),
      ...(await this.recordIssues(orgId, definition)),
      ...(await this.unpublishedIssues(orgId, definition)),
      ...(member ? this.permissionIssues(definition, member.permissions, actor) : [noMember]),
    ];
  }

  /** What is wrong with it by itself, whoever it is for. */
  private formIssues({ trigger, conditions, steps }: Definition): Issue[] {
    const wrong = triggerIssues(trigger);
    if (wrong.length === 0) wrong.push(...triggerFaults(trigger));
    // Without a trigger nobody knows what there is to refer to.
    if (wrong.length > 0) return wrong;
    const place = { facts: sampleFacts(trigger, {}), at: ['conditions'] };
    return [
      ...(conditions ? conditionIssues(conditions, place) : []),
      ...this.stepIssues(steps, trigger, {}, ['steps']),
    ];
  }

  /** @param before what the steps before have made, those of the branches around too. */
  private stepIssues(steps: readonly Step[], trigger: WorkflowTrigger, before: Made, at: Path): Issue[] {
    const made = { ...before };
    return steps.flatMap((step, index) => {
      const issues = this.issuesOfStep(step, trigger, made, [...at, index]);
      made[step.id] = this.catalogue.sampleMadeBy(step);
      return issues;
    });
  }

  private issuesOfStep(step: Step, trigger: WorkflowTrigger, made: Made, at: Path): Issue[] {
    const facts = sampleFacts(trigger, made);
    switch (step.kind) {
      case 'operation':
        return this.operationIssues(step.operation, step.input ?? {}, { facts, at });
      case 'send_email':
        return emailIssues(step, trigger, at);
      case 'wait':
        return waitIssues(step, trigger, at);
      case 'branch':
        return [
          ...conditionIssues(step.conditions, { facts, at: [...at, 'conditions'] }),
          ...this.stepIssues(step.steps, trigger, made, [...at, 'steps']),
          ...this.stepIssues(step.otherwise ?? [], trigger, made, [...at, 'otherwise']),
        ];
      case 'webhook':
        return [
          ...this.addressIssues(step.url, [...at, 'url']),
          ...referenceIssues(step.payload ?? {}, { facts, at: [...at, 'payload'] }),
        ];
    }
  }

  private operationIssues(name: string, input: Record<string, unknown>, { facts, at }: Place): Issue[] {
    const handled = this.catalogue.find(name);
    if (!handled)
      return [
        { path: [...at, 'operation'], message: `No step can do ${name}; getWorkflowCatalog lists what they can.` },
      ];
    const here = [...at, 'input'];
    const unknown = referenceIssues(input, { facts, at: here });
    if (unknown.length > 0) return unknown;
    try {
      readInput(handled.operation.input, filledIn(input, facts) as object, [], here);
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return issuesOf(error, here);
    }
  }

  private addressIssues(url: string, path: Path): Issue[] {
    if (url.includes('{{')) return [{ path, message: 'An address is written out; facts go into the payload.' }];
    try {
      this.outbound.check(url);
      return [];
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return [{ path, message: error.message }];
    }
  }

  private async recordIssues(orgId: string, { steps, conditions }: Definition): Promise<Issue[]> {
    const named = [...literalIds(steps, ['steps']), ...literalIds(conditions, ['conditions'])];
    const unknown = await this.records.unknown(orgId, [...new Set(named.map(({ id }) => id))]);
    return named
      .filter(({ id }) => unknown.has(id))
      .map(({ id, path }) => ({ path, message: `There is no ${id} here.` }));
  }

  private async unpublishedIssues(orgId: string, { steps }: Definition): Promise<Issue[]> {
    const named = literalIds(steps, ['steps']).filter(({ id }) => idPattern('template').test(id));
    const ids = named.map(({ id }) => id);
    const published = await this.records.published(orgId, ids);
    return named
      .filter(({ id }) => !published.has(id))
      .map(({ path }) => ({ path, message: 'The template is not published; publish a version of it first.' }));
  }

  private permissionIssues({ trigger, steps }: Definition, permissions: ReadonlySet<string>, who: string): Issue[] {
    const needed = [
      { path: ['trigger'] as Path, permission: permissionOfTrigger[trigger.kind] },
      ...missingFor(trigger.eventType ? [trigger.eventType] : [], permissions).map((permission) => ({
        path: ['trigger', 'eventType'] as Path,
        permission,
      })),
      ...Array.from(placedSteps(steps), ([step, path]) => ({ path, permission: this.catalogue.permissionFor(step) })),
    ];
    return needed
      .filter(({ permission }) => permission !== undefined && !permissions.has(permission))
      .map(({ path, permission }) => ({ path, message: `${who} lacks ${permission}, which this needs.` }));
  }
}

const noMember: Issue = { path: ['runAsMemberId'], message: 'There is no such active member here.' };

const permissionOfTrigger: Partial<Record<WorkflowTrigger['kind'], string>> = {
  event: 'events:read',
  reservation_relative: 'reservations:read',
};

/** Nobody has a workflow run as a member who may do more than they. */
function loanIssues({ memberId, permissions }: Caller, member: ActingMember | undefined): Issue[] {
  if (!member) return [noMember];
  if (member.memberId === memberId) return [];
  const beyond = [...member.permissions].filter((permission) => !permissions.has(permission));
  if (beyond.length === 0) return [];
  return [{ path: ['runAsMemberId'], message: `That member may do more than you: ${beyond.sort().join(', ')}.` }];
}
