import { Injectable } from '@nestjs/common';
import { isMjml } from './lint-rules.js';
import type { Compiled } from './mjml/mjml.js';
import { TemplateWork } from './template-work.service.js';
import type { VersionContent } from './template.dto.js';
import type { CheckedContent } from './template.entity.js';

/**
 * These take far more time than they are worth in a letter: style sheets that are inlined by selectors, and other
 * files.
 */
const leftOut = /<mj-(?:include|html-attributes)\b|\sinline\s*=/i;
const leftOutFault = 'mj-include, mj-html-attributes and inline style sheets are not supported. Remove them.';

@Injectable()
export class DraftsService {
  constructor(private readonly work: TemplateWork) {}

  async check(orgId: string, content: VersionContent): Promise<CheckedContent> {
    const compiled = await this.compile(orgId, content.body);
    return { ...content, html: compiled.html, issues: await this.work.lint(orgId, content, compiled) };
  }

  private async compile(orgId: string, body: string): Promise<Compiled> {
    if (!isMjml(body)) return { html: body, faults: [] };
    return leftOut.test(body) ? { html: '', faults: [leftOutFault] } : await this.work.compile(orgId, body);
  }
}
