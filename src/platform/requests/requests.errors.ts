import { recordNotFound } from '#errors';

export const requestNotFound = recordNotFound('request', 'listRequests');
