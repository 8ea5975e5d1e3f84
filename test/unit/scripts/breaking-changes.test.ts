import { breakingChanges } from '../../../scripts/breaking-changes.js';
import type { Document } from '../../../scripts/compared-document.js';
import type { Json } from '../../support/api.js';

/** A small document with a list, a write, an event, and a view that both refer to. */
const before = (): Document => ({
  paths: {
    '/tasks': {
      get: {
        operationId: 'listTasks',
        'x-scope': 'tasks:read',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
          { name: 'status', in: 'query', schema: { type: 'string', enum: ['pending', 'done'] } },
        ],
        responses: { 200: { content: json({ type: 'array', items: { $ref: '#/components/schemas/TaskView' } }) } },
      },
      post: {
        operationId: 'createTask',
        requestBody: {
          required: true,
          content: json({
            type: 'object',
            properties: { name: { type: 'string', maxLength: 200 }, note: nullable({ type: 'string' }) },
            required: ['name'],
          }),
        },
        responses: { 201: { content: json({ $ref: '#/components/schemas/TaskView' }) }, 400: {} },
      },
    },
  },
  webhooks: {
    'task.created': {
      post: {
        requestBody: {
          content: json({
            allOf: [{ $ref: '#/components/schemas/TaskView' }, { type: 'object', properties: { at: date } }],
          }),
        },
      },
    },
  },
  components: {
    schemas: {
      TaskView: {
        type: 'object',
        properties: { id: { type: 'string' }, parent: { $ref: '#/components/schemas/TaskView' }, at: date },
        required: ['id'],
      },
    },
  },
});
const json = (schema: Json) => ({ 'application/json': { schema } });
const nullable = (schema: Json) => ({ anyOf: [schema, { type: 'null' }] });
const date = { type: 'string', format: 'date' };

type Change = (document: Json) => void;
const changed = (change: Change): Document => {
  const document = before();
  change(document);
  return document;
};
const bodyOf = (document: Json) => document.paths['/tasks'].post.requestBody.content['application/json'].schema;

describe('breaking changes', () => {
  it.each<[string, Change]>([
    ['POST /tasks (createTask) is gone.', (d) => delete d.paths['/tasks'].post],
    ['GET /tasks (listTasks) is gone.', (d) => delete d.paths['/tasks']],
    ['POST /tasks (createTask) is called makeTask now.', (d) => (d.paths['/tasks'].post.operationId = 'makeTask')],
    ['GET /tasks (listTasks) needs the scope x:read now.', (d) => (d.paths['/tasks'].get['x-scope'] = 'x:read')],
    [
      'GET /tasks (listTasks) does not take the query parameter limit any more.',
      (d) => d.paths['/tasks'].get.parameters.shift(),
    ],
    [
      'GET /tasks (listTasks) newly requires the query parameter by.',
      (d) => d.paths['/tasks'].get.parameters.push({ name: 'by', in: 'query', required: true }),
    ],
    [
      'GET /tasks (listTasks), query parameter limit has a maximum of 50 now.',
      (d) => (d.paths['/tasks'].get.parameters[0].schema.maximum = 50),
    ],
    [
      'GET /tasks (listTasks), query parameter status does not take done any more.',
      (d) => d.paths['/tasks'].get.parameters[1].schema.enum.pop(),
    ],
    ['POST /tasks (createTask), body.note is newly required.', (d) => bodyOf(d).required.push('note')],
    ['POST /tasks (createTask), body.note is gone.', (d) => delete bodyOf(d).properties.note],
    [
      'POST /tasks (createTask), body.note does not take null.',
      (d) => (bodyOf(d).properties.note = { type: 'string' }),
    ],
    ['POST /tasks (createTask), body.name does not take string.', (d) => (bodyOf(d).properties.name.type = 'integer')],
    [
      'POST /tasks (createTask) does not answer 201 any more.',
      (d) => (d.paths['/tasks'].post.responses = { 200: d.paths['/tasks'].post.responses[201] }),
    ],
    ['TaskView.id is gone.', (d) => delete d.components.schemas.TaskView.properties.id],
    ['TaskView.id may newly be left out.', (d) => (d.components.schemas.TaskView.required = [])],
    [
      'TaskView.id may newly be null.',
      (d) => (d.components.schemas.TaskView.properties.id = nullable({ type: 'string' })),
    ],
    [
      'event task.created.at is gone.',
      (d) => {
        const { schema } = d.webhooks['task.created'].post.requestBody.content['application/json'];
        schema.allOf = [{ type: 'object', properties: { id: { type: 'string' }, parent: {} }, required: ['id'] }];
      },
    ],
    ['The event task.created is gone.', (d) => delete d.webhooks['task.created']],
  ])('%s', (sentence, change) => {
    expect(breakingChanges(before(), changed(change))).toContain(sentence);
  });

  it('exclude additions, wider inputs and wording', () => {
    const document = changed((d) => {
      d.paths['/rooms'] = { get: { operationId: 'listRooms' } };
      d.paths['/tasks'].get.parameters[0] = {
        name: 'limit',
        in: 'query',
        description: 'New',
        schema: { type: 'integer' },
      };
      d.paths['/tasks'].get.parameters.push({ name: 'by', in: 'query' });
      bodyOf(d).properties.colour = { type: 'string' };
      bodyOf(d).required = [];
      d.components.schemas.TaskView.properties.colour = { type: 'string' };
      d.components.schemas.TaskView.required.push('colour');
      d.webhooks['task.done'] = {};
      const other = { type: 'object', properties: { waits: { type: 'boolean' } } };
      const view = { $ref: '#/components/schemas/TaskView' };
      d.paths['/tasks'].post.responses[201] = { content: json({ anyOf: [other, view] }) };
    });
    expect(breakingChanges(before(), document)).toEqual([]);
  });

  describe('of an object that becomes a union', () => {
    const kinds = (...names: string[]): Change => {
      const union = {
        oneOf: names.map((name) => ({
          type: 'object',
          properties: { kind: { enum: [name] }, [name]: date },
          required: ['kind', name],
        })),
        discriminator: { propertyName: 'kind', mapping: Object.fromEntries(names.map((name) => [name, name])) },
      };
      return (document) => Object.assign(bodyOf(document).properties, { due: union });
    };
    const given = changed((document) =>
      Object.assign(bodyOf(document).properties, {
        due: {
          type: 'object',
          properties: { kind: { type: 'string', enum: ['day', 'week'] }, day: date, week: date },
          required: ['kind'],
        },
      }),
    );

    it('exclude the union of the same fields', () => {
      expect(breakingChanges(given, changed(kinds('day', 'week')))).toEqual([]);
    });

    it('include fields that every member newly requires, and missing members', () => {
      expect(breakingChanges(given, changed(kinds('day')))).toEqual([
        'POST /tasks (createTask), body.due.kind does not take week any more.',
        'POST /tasks (createTask), body.due.week is gone.',
        'POST /tasks (createTask), body.due.day is newly required.',
      ]);
    });
  });
});
