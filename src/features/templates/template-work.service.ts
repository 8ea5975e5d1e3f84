import { Injectable } from '@nestjs/common';
import { heavyWork, type HeavyWork, Threads, WorkKilled } from '#threads';
import type { MessageContent } from '../../outside/messages/message-templates.js';
import type * as letterWork from './letter-work.js';
import type * as mjmlWork from './mjml/mjml.js';
import type { FieldDiff } from './template-preview.dto.js';
import type { TemplateIssue, VersionContent } from './template.dto.js';
import { checkTakesTooLong, comparisonTakesTooLong, templateDoesNotRender } from './templates.errors.js';
import { Unrenderable } from './unrenderable.js';

const module = import.meta.resolve('./letter-work.js');
const withinMs = 1_000;
const work = {
  render: heavyWork<typeof letterWork.render>({ kind: 'template_render', module, run: 'render', withinMs }),
  lint: heavyWork<typeof letterWork.lint>({ kind: 'template_check', module, run: 'lint', withinMs }),
  namesIn: heavyWork<typeof letterWork.namesIn>({ kind: 'template_check', module, run: 'namesIn', withinMs }),
  differences: heavyWork<typeof letterWork.differences>({ kind: 'diff', module, run: 'differences', withinMs }),
  compile: heavyWork<typeof mjmlWork.compile>({
    kind: 'mjml',
    module: import.meta.resolve('./mjml/mjml.js'),
    run: 'compile',
    // The longest letters take a third of a second.
    withinMs: 2_000,
  }),
};
const tooMuch = 'It needs too much time or memory to compile. Use fewer elements and attributes.';
const notRendered = new Unrenderable('it needs too much time or memory.');

/** Processes the texts of templates in threads, because people write them and they may take any amount of time. */
@Injectable()
export class TemplateWork {
  constructor(private readonly threads: Threads) {}

  /** @throws conflict_error if it cannot be rendered. */
  async render(orgId: string, ...source: Parameters<typeof letterWork.render>): Promise<MessageContent> {
    const answer = await this.run(work.render, orgId, source, () => templateDoesNotRender(notRendered.message));
    if ('unrenderable' in answer) throw templateDoesNotRender(answer.unrenderable);
    return answer.letter;
  }

  /** Compiles MJML to HTML. A source that exceeds the limits gets a finding that names them. */
  async compile(orgId: string, source: string): Promise<mjmlWork.Compiled> {
    try {
      return await this.threads.run(work.compile, orgId, source);
    } catch (error) {
      if (error instanceof WorkKilled) return { html: '', faults: [tooMuch] };
      throw error;
    }
  }

  lint(orgId: string, content: VersionContent, compiled: mjmlWork.Compiled): Promise<TemplateIssue[]> {
    return this.run(work.lint, orgId, [content, compiled], checkTakesTooLong);
  }

  /** The names that texts use but do not define. */
  namesIn(orgId: string, texts: string[]): Promise<string[]> {
    return this.run(work.namesIn, orgId, [texts], checkTakesTooLong);
  }

  differences(orgId: string, before: VersionContent, after: VersionContent): Promise<FieldDiff[]> {
    return this.run(work.differences, orgId, [before, after], comparisonTakesTooLong);
  }

  /** @param killed the reason for the rejection if the input exceeds the limits. */
  private async run<A extends unknown[], R>(
    heavy: HeavyWork<A, R>,
    orgId: string,
    args: A,
    killed: () => Error,
  ): Promise<R> {
    try {
      return await this.threads.run(heavy, orgId, ...args);
    } catch (error) {
      throw error instanceof WorkKilled ? killed() : error;
    }
  }
}
