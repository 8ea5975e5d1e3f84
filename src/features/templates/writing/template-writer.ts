import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Issue, ServiceError } from '#errors';
import type { Drafting } from '../../../outside/models/drafting.js';
import { type JobKind, ModelJobKinds } from '../../../outside/models/job-kind.js';
import type { ModelJob } from '../../../outside/models/model-job.entity.js';
import { ModelJobsService } from '../../../outside/models/model-jobs.service.js';
import { DraftsService } from '../drafts.service.js';
import { errorsIn } from '../lint.js';
import { isUsed } from '../lint-rules.js';
import type { EmailTemplateView, TemplateCategory, TemplateVariable, VersionContent } from '../template.dto.js';
import { contentOf } from '../template-diff.js';
import { TemplateWork } from '../template-work.service.js';
import { templateChangedMeanwhile } from '../templates.errors.js';
import { TemplatesService } from '../templates.service.js';
import { checkVariables, sampleUrl, scopeOf } from '../variables.js';
import { knownVariables, rulesFor, type Written, writtenSchema } from './assignment.js';
import { destinationsIn } from './destinations.js';
import type { ModifyEmailTemplate, WriteEmailTemplate } from './writing.dto.js';
import { modifyEmailTemplate, writeEmailTemplate } from './writing.operations.js';

/** The model's text, with the given variables that it uses. */
interface Draft extends VersionContent {
  name: string;
}

/** The version to change, with its content. */
interface Revision {
  base: number;
  before: VersionContent;
  draft: Draft;
}

/**
 * Has a model write templates and new versions of them. Nothing is sent before somebody publishes it. The caller
 * decides which names the model may use and where its links may lead, not the text of the template that is changed.
 */
@Injectable()
export class TemplateWriter {
  private readonly creation: JobKind<WriteEmailTemplate, Draft> = {
    operation: writeEmailTemplate,
    make: ({ orgId }, input, drafting) => this.write(orgId, input, drafting),
    save: async (caller, { name }, draft) =>
      resultOf(await this.templates.save(caller, { ...draft, name: name ?? draft.name }, 'model')),
  };

  private readonly modification: JobKind<ModifyEmailTemplate, Revision> = {
    operation: modifyEmailTemplate,
    make: (caller, input, drafting) => this.revise(caller, input, drafting),
    save: async (caller, { templateId }, { base, before, draft: { name: _, ...draft } }) => {
      const { latestVersion } = await this.templates.changeable(caller, templateId);
      if (latestVersion !== base) throw templateChangedMeanwhile();
      const template = await this.templates.update(caller, { templateId, ...draft }, 'model');
      return { ...resultOf(template), diff: await this.work.differences(caller.orgId, before, draft) };
    },
  };

  constructor(
    kinds: ModelJobKinds,
    private readonly jobs: ModelJobsService,
    private readonly templates: TemplatesService,
    private readonly drafts: DraftsService,
    private readonly work: TemplateWork,
  ) {
    kinds.register(this.creation);
    kinds.register(this.modification);
  }

  async create(caller: Caller, input: WriteEmailTemplate): Promise<ModelJob> {
    checkVariables(input.variables ?? []);
    return await this.jobs.request(caller, this.creation, input);
  }

  async modify(caller: Caller, input: ModifyEmailTemplate): Promise<ModelJob> {
    await this.templates.changeable(caller, input.templateId);
    checkVariables(input.variables ?? []);
    return await this.jobs.request(caller, this.modification, input);
  }

  private write(
    orgId: string,
    { instruction, category = 'transactional', variables }: WriteEmailTemplate,
    drafting: Drafting,
  ) {
    return this.draft(orgId, drafting, { instruction, category, variables: variables ?? knownVariables });
  }

  private async revise(
    { orgId }: Caller,
    { templateId, instruction, variables = [] }: ModifyEmailTemplate,
    drafting: Drafting,
  ): Promise<Revision> {
    const { shown } = await this.templates.find(orgId, templateId);
    const before = contentOf(shown);
    const given = new Set(variables.map(({ key }) => key));
    const all = [...before.variables.filter(({ key }) => !given.has(key)), ...variables];
    const draft = await this.draft(orgId, drafting, { instruction, category: before.category, variables: all, before });
    return { base: shown.number, before, draft };
  }

  private async draft(
    orgId: string,
    drafting: Drafting,
    { instruction, category, variables, before }: Assignment,
  ): Promise<Draft> {
    const contentFrom = async ({ subject, preheader, body, textBody }: Written): Promise<VersionContent> => {
      const texts = [subject, preheader ?? '', body, textBody ?? ''];
      const names = await this.work.namesIn(orgId, texts);
      const used = variables.filter((variable) => isUsed(variable, names));
      return { category, subject, preheader, body, textBody, variables: used };
    };
    const known = destinationsIn(instruction).concat(
      before ? (await this.lookThrough(orgId, before)).destinations : [],
    );
    const written = await drafting.draft<Written>({
      system: rulesFor(category, variables),
      instruction,
      ...(before && { data: { template: before } }),
      schema: writtenSchema,
      check: async (draft) => {
        const { issues, destinations } = await this.lookThrough(orgId, await contentFrom(draft));
        const unknown = [...new Set(destinations)].filter((one) => !known.includes(one));
        return [...issues, ...unknown.map(leadsElsewhere)];
      },
    });
    return { ...(await contentFrom(written)), name: written.name };
  }

  /**
   * Checks a version's findings and destinations, both in its source and in the rendered letter, in which nothing is
   * disguised.
   */
  private async lookThrough(
    orgId: string,
    content: VersionContent,
  ): Promise<{ issues: Issue[]; destinations: string[] }> {
    const checked = await this.drafts.check(orgId, content);
    const issues = errorsIn(checked.issues).map(({ field, message }) => ({ path: [field], message }));
    const { subject, preheader, body, textBody, variables } = content;
    const texts = [subject, preheader ?? '', body, textBody ?? ''];
    try {
      const letter = await this.work.render(orgId, checked, scopeOf(variables, {}, { sampled: true }));
      texts.push(letter.subject, letter.html, letter.text);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      issues.push({ path: ['body'], message: error.message });
    }
    return {
      issues,
      destinations: destinationsIn(texts.join('\n')).filter((one) => !sampleDestinations.includes(one)),
    };
  }
}

interface Assignment {
  instruction: string;
  category: TemplateCategory;
  /** The names that may be used. */
  variables: readonly TemplateVariable[];
  /** The version to change. */
  before?: VersionContent;
}

/** The destinations of the sample values for URLs. */
const sampleDestinations = destinationsIn(sampleUrl);

const leadsElsewhere = (destination: string): Issue => ({
  path: [],
  message: `Leave out ${destination}: neither the instruction nor the template that is changed leads there.`,
});

const resultOf = ({ id, templateVersion, issues, ...template }: EmailTemplateView): Record<string, unknown> => ({
  templateId: id,
  templateVersion,
  draft: { name: template.name, ...contentOf(template) },
  warnings: issues.map(({ message }) => message),
});
