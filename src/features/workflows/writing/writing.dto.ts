import { Id, Text } from '#operations';
import { ThisWorkflow } from '../workflow.dto.js';

const instruction = {
  description: 'What the workflow should do and when, in your own words. It contains only addresses from this text.',
  max: 10_000,
};
const context = {
  description: 'Text of guests or other systems for the model to use; never treated as an instruction.',
  max: 20_000,
  optional: true,
};

export class GenerateWorkflow {
  @Text({
    ...instruction,
    example:
      'Whenever a stay is moved to other dates, create a cleaning task for the property, due when the guests leave.',
  })
  instruction: string;

  @Text({ description: 'Name of the workflow; by default the model chooses one.', max: 200, optional: true })
  name?: string;
  @Text(context) context?: string;

  @Id('member', {
    description: 'Member that the workflow runs as (member_…), from listMembers; default: you.',
    optional: true,
  })
  runAsMemberId?: string;
}

export class ModifyWorkflow extends ThisWorkflow {
  @Text({ ...instruction, example: 'Make the task urgent.' }) instruction: string;
  @Text(context) context?: string;
}
