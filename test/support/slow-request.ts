import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { CredentialsService } from '../../src/auth/bearer/credentials.service.js';
import { until } from './feed.js';
import type { Service } from './start-app.js';

/**
 * Begins a POST whose credential has been looked up while its body still arrives.
 *
 * @returns sends the rest of the body, and resolves to the status of the response.
 */
export async function slowPost(
  { app, url }: Pick<Service, 'app' | 'url'>,
  path: string,
  token: string,
  begin: string,
): Promise<(rest: string) => Promise<number | undefined>> {
  const lookedUp = jest.spyOn(app.get(CredentialsService), 'callerOf');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = request({ port: new URL(url).port, method: 'POST', path, headers });
  sent.write(begin);
  await until(
    () => Promise.resolve(lookedUp.mock.results),
    ([looked]) => looked !== undefined,
  );
  await lookedUp.mock.results[0]?.value;
  lookedUp.mockRestore();
  return async (rest) => {
    sent.end(rest);
    const [{ statusCode }] = (await once(sent, 'response')) as [IncomingMessage];
    return statusCode;
  };
}
