import { Id, IntersectionType, one, OneOf, Text } from '#operations';
import { approvalModes } from '../../auth/approval-rules/approval-rule.dto.js';
import { ApprovalRulesService } from '../../auth/approval-rules/approval-rules.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class Rule {
  @Text({ description: 'all, an application (app_…) or an API key (key_…).', max: 2_048 }) who: string;
  @Text({ description: 'everything, write, destructive, secrets, or the name of an operation.', max: 100 })
  what: string;
  @OneOf(approvalModes, { description: 'auto (no approval), ask (a person) or forbid.' })
  mode: (typeof approvalModes)[number];
}

class RuleView extends Rule {
  @Id('rule', { description: 'Rule id.' }) id: string;
}

class NewRule extends IntersectionType(InOrganization, Rule) {}

class ThisRule {
  @Id('rule', { description: 'Rule id.' }) id: string;
}

export const approvalRuleCommands = [
  command({
    name: 'approval-rule add',
    description: 'Adds a rule about what needs approval by a person.',
    input: NewRule,
    output: one(RuleView),
    run: (service, { org, ...rule }) =>
      service.get(Operator).inOrganization(org, (caller) => service.get(ApprovalRulesService).add(caller, rule)),
  }),
  command({
    name: 'approval-rule remove',
    description: 'Removes a rule about what needs approval by a person.',
    input: ThisRule,
    output: one(RuleView),
    run: (service, { id }) =>
      service
        .get(Operator)
        .inOrganizationOf('rule', id, (caller) => service.get(ApprovalRulesService).remove(caller, id)),
  }),
];
