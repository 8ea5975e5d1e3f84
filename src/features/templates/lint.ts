import { elementsOf } from './html-allowlist.js';
import {
  brokenLink,
  forbiddenHtml,
  liquidFields,
  type LiquidRead,
  type LintRule,
  liquidSyntax,
  lostLiquid,
  missingUnsubscribe,
  mjmlFaults,
  tooLarge,
  undeclaredVariable,
  unusedVariable,
} from './lint-rules.js';
import { readLiquid } from './liquid.js';
import type { Compiled } from './mjml/mjml.js';
import type { TemplateIssue, VersionContent } from './template.dto.js';

const rules: LintRule[] = [
  liquidSyntax,
  mjmlFaults,
  lostLiquid,
  undeclaredVariable,
  brokenLink,
  forbiddenHtml,
  tooLarge,
  missingUnsubscribe,
  unusedVariable,
];
const mostIssues = 200;

/** The findings of a version, errors first. */
export function lint(content: VersionContent, compiled: Compiled): TemplateIssue[] {
  const draft = { ...content, ...compiled, elements: elementsOf(compiled.html), liquid: readFields(content) };
  return rules
    .flatMap((rule) => rule(draft))
    .sort((one, other) => one.severity.localeCompare(other.severity))
    .slice(0, mostIssues);
}

const readFields = (content: VersionContent): LiquidRead[] =>
  liquidFields.flatMap((field) => {
    const text = content[field];
    return text === null ? [] : [{ field, ...readLiquid(text) }];
  });

export const errorsIn = (issues: readonly TemplateIssue[]): TemplateIssue[] =>
  issues.filter(({ severity }) => severity === 'error');
