import { Int, ListOf, OpenObject, Text } from '#operations';

export class FindOperations {
  @Text({ description: 'A verb and a noun, such as "cancel booking".', optional: true, max: 500 })
  words?: string;

  @ListOf({ text: 100 }, { description: 'Exact names.', optional: true, min: 1, max: 20 })
  names?: string[];

  @Int({ description: 'Maximum number of results for words; default: 5.', optional: true, min: 1, max: 20 })
  limit?: number;
}

export class CallByName {
  @Text({ description: 'Name of the operation.', max: 100 })
  operation: string;

  @OpenObject({ description: 'Its input, as findOperations describes it; default: {}.', optional: true })
  arguments?: Record<string, unknown>;
}
