import { isDeepStrictEqual } from 'node:util';
import type { Content, Document, Operation, Parameter, Reference, Schema } from './compared-document.js';

const upperLimits = ['maxLength', 'maximum', 'maxItems', 'maxProperties'];
const lowerLimits = ['minLength', 'minimum', 'minItems'];

/**
 * What a client of the old document must change for the new one, one sentence each: an operation, or a field of a
 * response, an event or an input was removed, or an input is newly required or accepts less. (A removed input counts,
 * because the service rejects unknown fields.) Additions do not count.
 */
export function breakingChanges(before: Document, after: Document): string[] {
  const breaks = new Set<string>();
  const compared = new Set<string>();
  const say = (sentence: string): void => void breaks.add(sentence);

  for (const [key, old] of operationsOf(before.paths)) {
    const now = operationsOf(after.paths).get(key);
    if (!now) say(`${key} (${old.operationId}) is gone.`);
    else compareOperations(`${key} (${old.operationId})`, old, now);
  }
  for (const [name, old] of operationsOf(before.webhooks ?? {})) {
    const now = operationsOf(after.webhooks ?? {}).get(name);
    const event = name.replace('POST ', '');
    if (now) compareContents(`event ${event}`, old.requestBody?.content, now.requestBody?.content, 'output');
    else say(`The event ${event} is gone.`);
  }
  return [...breaks];

  function compareOperations(key: string, old: Operation, now: Operation): void {
    if (old.operationId !== now.operationId) say(`${key} is called ${now.operationId} now.`);
    if (now['x-scope'] !== undefined && old['x-scope'] !== now['x-scope'])
      say(`${key} needs the scope ${now['x-scope']} now.`);
    compareParameters(key, old, now);
    if (now.requestBody?.required && !old.requestBody?.required) say(`${key} newly requires a body.`);
    compareContents(`${key}, body`, old.requestBody?.content, now.requestBody?.content, 'input');
    const responses = Object.entries(old.responses ?? {}).filter(([status]) => status.startsWith('2'));
    for (const [status, response] of responses) {
      const found = now.responses?.[status];
      if (!found) say(`${key} does not answer ${status} any more.`);
      else
        compareContents(
          `${key}, ${status}`,
          resolve(before, response).content,
          resolve(after, found).content,
          'output',
        );
    }
  }

  function compareParameters(key: string, old: Operation, now: Operation): void {
    const [known, found] = [parametersOf(before, old), parametersOf(after, now)];
    for (const [name, parameter] of known) {
      const same = found.get(name);
      if (same) compare(`${key}, ${name}`, parameter.schema ?? {}, same.schema ?? {}, 'input');
      else say(`${key} does not take the ${name} any more.`);
    }
    for (const [name, { required }] of found)
      if (required && !known.get(name)?.required) say(`${key} newly requires the ${name}.`);
  }

  function compareContents(
    at: string,
    old: Content | undefined,
    now: Content | undefined,
    way: 'input' | 'output',
  ): void {
    for (const [type, { schema }] of Object.entries(old ?? {})) {
      const same = now?.[type];
      if (same) compare(at, schema ?? {}, same.schema ?? {}, way);
      else say(`${at}: ${type} is gone.`);
    }
  }

  function compare(place: string, one: Schema, other: Schema, way: 'input' | 'output'): void {
    // A named schema is compared once, and reported by its name.
    const name = one.$ref?.split('/').at(-1);
    const pair = `${one.$ref} ${other.$ref} ${way}`;
    if (name && compared.has(pair)) return;
    if (name) compared.add(pair);
    const at = name ?? place;
    const [was, is] = [optionsOf(before, one), optionsOf(after, other)];
    const [had, has] = [was.map(kindOf), is.map(kindOf)];
    const lost =
      way === 'input' ? had.filter((kind) => !has.includes(kind)) : has.filter((kind) => !had.includes(kind));
    if (lost.length > 0) say(`${at} ${way === 'input' ? 'does not take' : 'may newly be'} ${lost.join(' or ')}.`);
    for (const old of was) {
      const alike = is
        .filter((option) => kindOf(option) === kindOf(old))
        .sort((first, second) => sharedWith(old, second) - sharedWith(old, first));
      const now = alike.find((option) => isDeepStrictEqual(option, old)) ?? alike[0];
      if (now) compareShapes(at, old, now, way);
    }
  }

  function compareShapes(at: string, old: Schema, now: Schema, way: 'input' | 'output'): void {
    for (const [name, field] of Object.entries(old.properties ?? {})) {
      const same = now.properties?.[name];
      if (!same) say(`${at}.${name} is gone.`);
      else compare(`${at}.${name}`, field, same, way);
    }
    const [strict, lax] = way === 'input' ? [now, old] : [old, now];
    for (const name of strict.required ?? []) {
      if (lax.required?.includes(name) || !now.properties?.[name]) continue;
      say(way === 'input' ? `${at}.${name} is newly required.` : `${at}.${name} may newly be left out.`);
    }
    for (const part of ['items', 'contentSchema'] as const)
      if (old[part] && now[part]) compare(`${at}[]`, old[part], now[part], way);
    if (way === 'input') compareLimits(at, old, now);
  }

  function compareLimits(at: string, old: Schema, now: Schema): void {
    const words = old.enum?.filter((word) => now.enum && !now.enum.includes(word)) ?? [];
    if (words.length > 0) say(`${at} does not take ${words.join(', ')} any more.`);
    const above = upperLimits.filter((limit) => Number(now[limit]) < Number(old[limit] ?? Infinity));
    const below = lowerLimits.filter((limit) => Number(now[limit]) > Number(old[limit] ?? -Infinity));
    for (const limit of [...above, ...below]) say(`${at} has a ${limit} of ${String(now[limit])} now.`);
  }
}

/** Of several objects, the one with the most common fields is its successor. */
const sharedWith = (old: Schema, now: Schema): number =>
  Object.keys(old.properties ?? {}).filter((name) => now.properties?.[name]).length;

const operationsOf = (paths: Document['paths']): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, entry]) => [`${method.toUpperCase()} ${path}`, entry] as const),
    ),
  );

const parametersOf = (document: Document, { parameters = [] }: Operation): Map<string, Parameter> =>
  new Map(
    parameters
      .map((parameter) => resolve<Parameter>(document, parameter))
      .map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]),
  );

function resolve<T extends object>({ components = {} }: Document, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [section = '', name = ''] = value.$ref.split('/').slice(2);
  return components[section]?.[name] as T;
}

/** The options of a value, each without references at its top and with its parts combined. */
function optionsOf(document: Document, schema: Schema): Schema[] {
  const { anyOf, oneOf, discriminator, allOf, ...plain } = resolve<Schema>(document, schema);
  if (anyOf) return anyOf.flatMap((option) => optionsOf(document, option));
  if (oneOf && discriminator)
    return [
      ofAny(
        oneOf.flatMap((option) => optionsOf(document, option)),
        discriminator,
      ),
    ];
  if (!allOf) return [plain];
  const parts = allOf.flatMap((part) => optionsOf(document, part));
  return [
    {
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
      required: parts.flatMap(({ required = [] }) => required),
    },
  ];
}

/** A union as one object: with the fields of every member, of which those are required that every member requires. */
function ofAny(members: readonly Schema[], { propertyName, mapping }: Required<Schema>['discriminator']): Schema {
  const fields = Object.assign({}, ...members.map(({ properties }) => properties)) as Record<string, Schema>;
  const [first, ...others] = members.map(({ required = [] }) => required);
  return {
    type: 'object',
    properties: { ...fields, [propertyName]: { type: 'string', enum: Object.keys(mapping) } },
    required: first?.filter((name) => others.every((required) => required.includes(name))),
  };
}

const kindOf = ({ type, format }: Schema): string => [type ?? 'anything', format].filter(Boolean).join(' of format ');
