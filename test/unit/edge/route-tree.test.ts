import { RouteTree } from '../../../src/edge/requests/route-tree.js';

const tree = new RouteTree<string>();
tree.add('GET', '/tasks', 'list');
tree.add('POST', '/tasks', 'create');
tree.add('GET', '/tasks/{taskId}', 'get');
tree.add('GET', '/tasks/count', 'count');
tree.add('POST', '/tasks/{taskId}/complete', 'complete');
tree.add('DELETE', '/tasks/{taskId}/attachments/{attachmentId}', 'remove');
tree.add('POST', '/tasks/count/{day}/close', 'close');

it.each([
  ['GET', '/tasks', 'list', {}],
  ['POST', '/tasks', 'create', {}],
  ['GET', '/tasks/a', 'get', { taskId: 'a' }],
  ['GET', '/tasks/count', 'count', {}],
  ['GET', '/tasks/a%2Fb', 'get', { taskId: 'a/b' }],
  ['POST', '/tasks/count/complete', 'complete', { taskId: 'count' }],
  ['DELETE', '/tasks/a/attachments/b', 'remove', { taskId: 'a', attachmentId: 'b' }],
])('%s %s leads to %s', (method, path, value, parameters) => {
  expect(tree.find(method, path)).toEqual({ value, parameters });
});

it.each([
  ['PATCH', '/tasks'],
  ['GET', '/Tasks'],
  ['HEAD', '/tasks/a'],
  ['GET', '/tasks/'],
  ['GET', '/tasks//'],
  ['GET', '/tasks/a/b'],
  ['POST', '/tasks//complete'],
  ['GET', '/'],
  ['GET', '/tasks/__proto__/constructor'],
])('%s %s leads nowhere', (method, path) => {
  expect(tree.find(method, path)).toBeUndefined();
});
