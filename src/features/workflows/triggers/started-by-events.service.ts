import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { Aftermath, type Starter, type WentOut } from '../../../platform/events/aftermath.js';
import type { Happening } from '../../../platform/events/happening.js';
import { allSteps, type Step } from '../definition.js';
import type { RunStep } from '../runs/run.entity.js';
import { StepCatalogue } from '../step-catalogue.js';

const ids = { event: idColumn('event'), run: idColumn('run') };

/** Says which workflows events start, before they happen, and afterwards what those sent out. */
@Injectable()
export class StartedByEvents implements Starter {
  constructor(
    private readonly database: TenantDatabase,
    private readonly steps: StepCatalogue,
    aftermath: Aftermath,
  ) {
    aftermath.add(this);
  }

  async foresee({ orgId, permissions }: Pick<Caller, 'orgId' | 'permissions'>, happened: readonly Happening[]) {
    if (happened.length === 0) return [];
    const rows = await this.database.rows(
      orgId,
      `select w.name, v.steps, v.conditions is not null as only_if
         from workflows w join workflow_versions v
           on v.org_id = w.org_id and v.workflow_id = w.id and v.number = w.active_version
        where w.org_id = $1 and w.status = 'active' and w.trigger_kind = 'event' and v.trigger->>'eventType' = any($2)
        order by w.name`,
      [uuidIn(orgId), [...new Set(happened.map(({ type }) => type))]],
    );
    if (rows.length === 0) return [];
    if (!permissions.has('workflows:read')) return [`Afterwards ${counted(rows.length, 'workflow')} may start.`];
    return rows.map(({ name, steps, only_if: onlyIf }) => {
      const does = [...new Set(allSteps(steps as Step[]).flatMap((step) => this.inWords(step)))].join(', ');
      return `Afterwards the workflow “${name as string}” starts${onlyIf ? ', if its conditions are met' : ''}: ${does}.`;
    });
  }

  async wentOut(orgId: string, eventIds: readonly string[]): Promise<WentOut[]> {
    if (eventIds.length === 0) return [];
    const rows = await this.database.rows(
      orgId,
      `select r.id, r.steps, w.name from workflows w
         join workflow_runs r on r.org_id = w.org_id and r.workflow_id = w.id and r.trigger_key = any($2)
        where w.org_id = $1 order by r.id`,
      [uuidIn(orgId), eventIds.map((id) => ids.event.from(id) as string)],
    );
    return rows.flatMap(({ id, steps, name }) => {
      const sent = (steps as RunStep[]).flatMap(({ kind, status, result }) => {
        const what = status === 'succeeded' && sentBy[kind];
        if (!what) return [];
        const target = { type: 'message', id: result?.id as string };
        return [{ target: kind === 'send_email' ? target : undefined, what }];
      });
      return sent.map(({ target = { type: 'workflow_run', id: ids.run.from(id) as string }, what }) => ({
        target,
        reason: `The workflow “${name as string}” has sent ${what}.`,
      }));
    });
  }

  private inWords(step: Step): string[] {
    if (step.kind === 'send_email') return [step.to === 'guest' ? 'an email to the guest' : 'an email to a member'];
    if (step.kind === 'webhook') return ['a call of another system'];
    return step.kind === 'operation' ? [`“${this.steps.titleOf(step.operation)}”`] : [];
  }
}

const sentBy: Partial<Record<string, string>> = { send_email: 'an email', webhook: 'a call to another system' };

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
