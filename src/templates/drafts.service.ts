import { Injectable } from '@nestjs/common';
import { lint } from './lint.js';
import { isMjml } from './lint-rules.js';
import { MjmlCompiler } from './mjml/mjml-compiler.js';
import type { Compiled } from './mjml/mjml-worker.js';
import type { TemplateIssue, VersionContent } from './template.dto.js';

/** A version's content, compiled and looked through. */
export interface CheckedContent extends VersionContent {
  html: string;
  issues: TemplateIssue[];
}

/** These cost far more time than they are worth in a letter: sheets that are inlined by selectors, and other files. */
const leftOut = /<mj-(?:include|html-attributes)\b|\sinline\s*=/i;
const leftOutFault = 'mj-include, mj-html-attributes and inline sheets are not taken. Leave them out.';

@Injectable()
export class DraftsService {
  constructor(private readonly mjml: MjmlCompiler) {}

  async check(content: VersionContent): Promise<CheckedContent> {
    const compiled = await this.compile(content.body);
    return { ...content, html: compiled.html, issues: lint(content, compiled) };
  }

  private async compile(body: string): Promise<Compiled> {
    if (!isMjml(body)) return { html: body, faults: [] };
    return leftOut.test(body) ? { html: '', faults: [leftOutFault] } : await this.mjml.compile(body);
  }
}
