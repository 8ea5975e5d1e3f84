import type { Server } from '@modelcontextprotocol/server';
import type { Caller } from '#access';
import type { RequestContext } from '#context';
import type { ErrorEnvelope, SuccessEnvelope } from '#errors';
import { tasksExtension } from './client-capabilities.js';
import { invalidParams } from './json-rpc.js';
import { prompts } from './prompts.js';
import type { ResourcesService } from './resources.service.js';

export type Sdk = typeof import('@modelcontextprotocol/server');

export const serverInfo = { name: 'property-operations', title: 'Property Operations', version: '1.0.0' };

const instructions = [
  'Property operations for short-term rentals and hotels: properties and their units, reservations, guests, tasks, devices, guides.',
  'Call getMe with brief=true first: it returns today, the time zone, what you may do, and why tools may be missing.',
  'Who arrives or leaves, and is it clean? getDay with the date; getRoomBoard for every room of a property.',
  'Something is broken: find the place (listProperties, listAllUnits), then createTask with type maintenance and assignTask.',
  'Lock, unlock, heat, a code for the door: listDevices, then lockDevice, unlockDevice, setDeviceTemperature, createAccessCode.',
  'Every id has a prefix and comes from a list. Dates of stays are local to the property; times need an offset.',
  'Lists return 20 records; pass meta.pagination.nextCursor as cursor for more. meta.truncated says that a list was cut.',
  'For anything else: findOperations, then readByName, changeByName or destroyByName.',
  'Send your own _meta["property-operations/idempotencyKey"] with each write, and the same one when you retry it.',
  'To see what a write would change, first call it with _meta["property-operations/dryRun"]: true.',
  'An error says what to change. Ask a person before you repeat a device command whose outcome is unknown.',
].join('\n');

/** The SDK's server for one message of a caller: everything but the tools. */
export function newServer(
  sdk: Sdk,
  resources: ResourcesService,
  context: RequestContext,
  supportedProtocolVersions?: string[],
): Server {
  const server = new sdk.Server(serverInfo, {
    capabilities: {
      tools: {},
      prompts: {},
      resources: {},
      // The revisions of 2025 have other tasks.
      ...(!supportedProtocolVersions && { extensions: { [tasksExtension]: {} } }),
    },
    instructions,
    ...(supportedProtocolVersions && { supportedProtocolVersions }),
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ text: _, ...described }) => ({ ...described, arguments: [...described.arguments] })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => {
    const prompt = prompts.find((one) => one.name === name);
    if (!prompt) throw new sdk.ProtocolError(invalidParams, `Unknown prompt ${name}. prompts/list returns them.`);
    const missing = prompt.arguments.filter((one) => one.required && !given[one.name]).map((one) => one.name);
    if (missing.length > 0) throw new sdk.ProtocolError(invalidParams, `Pass ${missing.join(', ')}.`);
    const content = { type: 'text' as const, text: prompt.text(given) };
    return { description: prompt.description, messages: [{ role: 'user' as const, content }] };
  });
  // There are too many records to list: results link to those that they are about.
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resources.templates(context.caller as Caller),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const answer = await resources.read(uri, context);
    if (!answer) throw new sdk.ResourceNotFoundError(uri);
    const record = recordIn(answer.value);
    if (record === undefined) throw new sdk.ResourceNotFoundError(uri, messageOf(answer.value));
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(record) }] };
  });
  return server;
}

/** The record that an answer holds, of a list its only one. */
function recordIn(value: SuccessEnvelope | ErrorEnvelope): unknown {
  if ('error' in value) return undefined;
  return Array.isArray(value.data) ? value.data[0] : value.data;
}

const messageOf = (value: SuccessEnvelope | ErrorEnvelope): string | undefined =>
  'error' in value ? value.error.message : undefined;
