import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RequestContext } from '#context';
import { NotSetUp } from '#errors';
import { envelopeFor } from '../../../src/platform/http/error-envelope.js';

const context = new RequestContext('rest', 'request', 'log', () => Promise.reject(new Error('It has no input.')));

it('tells the operator once what is not set up, and not as an error', () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  for (const what of ['a model', 'a model', 'letters', 'a model']) envelopeFor(new NotSetUp(what), context);
  expect(warned.mock.calls.map(([said]) => said)).toEqual([{ reason: 'a model' }, { reason: 'letters' }]);
  expect(failed).not.toHaveBeenCalled();
  expect(envelopeFor(new NotSetUp('a model'), context)).toMatchObject({ status: 500, code: 'NON_RETRYABLE' });
});
