import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

interface Layer {
  route?: { path: string };
}

describe('the unknown route', () => {
  it('is the last of all routes, so that it takes nothing from another', () => {
    const express = service.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
    const paths = express.router.stack.flatMap(({ route }) => (route ? [route.path] : []));
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.at(-1)).toBe('/*path');
  });
});
