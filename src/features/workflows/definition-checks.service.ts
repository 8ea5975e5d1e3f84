import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { invalidInput, type Issue, ServiceError } from '#errors';
import { idPattern, readInput } from '#operations';
import { Outbound, OutboundError } from '#outbound';
import { ActingMembersRepository } from '../../tenancy/members/acting-members.repository.js';
import type { Definition, Step } from './definition.js';
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
import { loanIssues, noMember, permissionIssues } from './definition-permissions.js';
import { issuesOf, readSteps } from './definition-reader.js';
import { type Made, sampleFacts } from './facts.js';
import { KnownRecordsRepository } from './known-records.repository.js';
import { filledIn } from './references.js';
import type { GivenStep } from './step.dto.js';
import { StepCatalogue } from './step-catalogue.js';
import { StepSecrets } from './step-secrets.service.js';
import type { Trigger } from './trigger.dto.js';

type Path = Issue['path'];

/** Checks whether a definition can work, so that its faults are reported when it is saved and not when it runs. */
@Injectable()
export class DefinitionChecks {
  constructor(
    private readonly catalogue: StepCatalogue,
    private readonly secrets: StepSecrets,
    private readonly records: KnownRecordsRepository,
    private readonly members: ActingMembersRepository,
    private readonly outbound: Outbound,
  ) {}

  /**
   * Reads a definition and its steps.
   *
   * @param before the current trigger, which may remain.
   * @throws validation_error with an issue for each fault.
   */
  async read(
    caller: Caller,
    others: Omit<Definition, 'steps'>,
    given: GivenStep[],
    before?: Trigger,
  ): Promise<Definition> {
    const issues: Issue[] = [];
    const definition = { ...others, steps: readSteps(given, issues) };
    if (issues.length === 0) issues.push(...(await this.issuesFor(caller, definition, before)));
    if (issues.length > 0) throw invalidInput(issues);
    return definition;
  }

  /** @param caller who writes it, and has nothing done that it may not do itself. */
  async issuesFor(caller: Caller, definition: Definition, before?: Trigger): Promise<Issue[]> {
    const member = await this.members.find(caller.orgId, definition.runAsMemberId);
    return [
      ...this.formIssues(definition),
      ...startIssues(definition.trigger, before),
      ...(await this.recordIssues(caller.orgId, definition)),
      ...this.permissionIssues(definition, 'writer', caller),
      ...(member ? this.permissionIssues(definition, 'member', member) : []),
      ...loanIssues(caller, member),
    ];
  }

  /** The obstacles to running anything as that member. */
  async memberIssues(caller: Caller, memberId: string): Promise<Issue[]> {
    return loanIssues(caller, await this.members.find(caller.orgId, memberId));
  }

  /** The obstacles to running now. */
  async activationIssues(orgId: string, definition: Definition): Promise<Issue[]> {
    const member = await this.members.find(orgId, definition.runAsMemberId);
    return [
      ...this.formIssues(definition),
      ...(await this.recordIssues(orgId, definition)),
      ...(await this.unpublishedIssues(orgId, definition)),
      ...(member ? this.permissionIssues(definition, 'member', member) : [noMember]),
    ];
  }

  /** The errors of the definition itself, for any member. */
  private formIssues({ trigger, conditions, steps }: Definition): Issue[] {
    const wrong = triggerFaults(trigger);
    // Without a trigger, the facts that can be referenced are unknown.
    if (wrong.length > 0) return wrong;
    const place = { facts: sampleFacts(trigger, {}), at: ['conditions'] };
    return [
      ...(conditions ? conditionIssues(conditions, place) : []),
      ...this.stepIssues(steps, trigger, {}, ['steps']),
    ];
  }

  /** @param before the results of earlier steps, including those of enclosing branches. */
  private stepIssues(steps: readonly Step[], trigger: Trigger, before: Made, at: Path): Issue[] {
    const made = { ...before };
    return steps.flatMap((step, index) => {
      const issues = this.issuesOfStep(step, trigger, made, [...at, index]);
      made[step.id] = this.catalogue.sampleMadeBy(step);
      return issues;
    });
  }

  private issuesOfStep(step: Step, trigger: Trigger, made: Made, at: Path): Issue[] {
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
        {
          path: [...at, 'operation'],
          message: `Steps cannot run ${name}. getWorkflowCatalog lists the operations that they can run.`,
        },
      ];
    const here = [...at, 'input'];
    const unknown = referenceIssues(input, { facts, at: here });
    if (unknown.length > 0) return unknown;
    const masks = this.secrets.issuesOf(name, input, here);
    if (masks.length > 0) return masks;
    try {
      readInput(handled.operation.input, filledIn(input, facts) as object, [], here);
      return [];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return issuesOf(error, here);
    }
  }

  private addressIssues(url: string, path: Path): Issue[] {
    if (url.includes('{{'))
      return [{ path, message: 'A webhook address cannot contain facts. Put them in the payload.' }];
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
    return named.filter(({ id }) => unknown.has(id)).map(({ id, path }) => ({ path, message: `${id} was not found.` }));
  }

  private async unpublishedIssues(orgId: string, { steps }: Definition): Promise<Issue[]> {
    const named = literalIds(steps, ['steps']).filter(({ id }) => idPattern('template').test(id));
    const ids = named.map(({ id }) => id);
    const published = await this.records.published(orgId, ids);
    return named
      .filter(({ id }) => !published.has(id))
      .map(({ path }) => ({
        path,
        message: 'The template is not published. Publish a version with publishEmailTemplate first.',
      }));
  }

  private permissionIssues(
    definition: Definition,
    whose: 'writer' | 'member',
    { permissions }: { permissions: ReadonlySet<string> },
  ): Issue[] {
    return permissionIssues(definition, (step) => this.catalogue.permissionFor(step), { whose, permissions });
  }
}
