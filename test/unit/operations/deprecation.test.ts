import { deprecationHeaders, deprecationOf, one, operation, schemaOf, Text } from '#operations';
import { toolDefinition } from '../../../src/doors/mcp/tool-definitions.js';
import { ComponentSchemas } from '../../../src/doors/openapi/component-schemas.js';
import { ErrorResponses } from '../../../src/doors/openapi/error-responses.js';
import { operationEntry } from '../../../src/doors/openapi/operation-entry.js';

const deprecated = { since: '2027-03-01', sunset: '2028-03-01', instead: 'createTask' };
const sentence = 'Deprecated since 2027-03-01, removed after 2028-03-01: use createTask.';

class Input {
  @Text({ description: 'Old name.', max: 10, optional: true, deprecated }) label?: string;
  @Text({ description: 'Name.', max: 10, optional: true }) name?: string;
}
class View {
  @Text({ description: 'Name.', max: 10 }) name: string;
}
const spec = {
  name: 'addTask',
  route: 'POST /added-tasks',
  effect: 'write',
  reach: 'property',
  title: 'Add a task',
  description: 'Adds a task.',
  input: Input,
  output: one(View),
} as const;
const [kept, old] = [operation(spec), operation({ ...spec, deprecated })];

it('applies to an operation, or to a field in a request', () => {
  expect([deprecationOf(old), deprecationOf(kept, { label: 'x' })]).toEqual([deprecated, deprecated]);
  expect([deprecationOf(kept), deprecationOf(kept, { name: 'x' })]).toEqual([undefined, undefined]);
});

it('is sent as the headers of RFC 9745 and RFC 8594', () => {
  expect(deprecationHeaders(deprecated)).toEqual({
    Deprecation: '@1803859200',
    Sunset: 'Wed, 01 Mar 2028 00:00:00 GMT',
  });
});

it("is in the document and in the tool's description", () => {
  const handled = { operation: old, feature: 'tasks' } as never;
  const schemas = new ComponentSchemas({});
  const entry = operationEntry(handled, schemas, new ErrorResponses(schemas));
  expect(entry).toMatchObject({ deprecated: true, 'x-deprecated': deprecated });
  expect(entry.description).toBe(`Adds a task.\n\n${sentence}`);
  expect(toolDefinition(old).description).toBe(`Adds a task. ${sentence}`);
  const { label } = (schemaOf(Input) as { properties: Record<string, object> }).properties;
  expect(label).toMatchObject({ description: `Old name. ${sentence}`, deprecated: true });
});
