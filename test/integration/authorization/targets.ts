import { type Operation, schemaOf } from '#operations';
import type { DoorReply } from '../../support/doors.js';
import { shape } from './asking.js';
import type { Organizations } from './credentials.js';
import { absent, archivals, atProperties, type Ids, makers, type Place, placeOf } from './fixtures.js';
import { inputs, isReference, type Kind, kindOf } from './oracle.js';

type Records = Record<Kind, Ids>;

/**
 * Where a record may be; `archived` is at our own property, for kinds that can be archived, and records of the whole
 * organization have no property, or no limit to some.
 */
export interface Targets {
  own: Records;
  'other property': Records;
  'whole organization': Partial<Records>;
  'other organization': Records;
  archived: Partial<Records>;
}

export const allKinds = Object.keys(makers) as Kind[];
export const archivable = Object.keys(archivals) as Kind[];

/** Records of each kind in each place, and the places to create more of them. */
export async function openTargets({ world, own, foreign }: Organizations) {
  const here = await placeOf(world.service, own, 'Here');
  const elsewhere = await placeOf(world.service, own, 'Elsewhere');
  const everywhere: Place = { ...here, propertyId: undefined };
  const abroad = await placeOf(world.service, foreign, 'Abroad');
  const targets: Targets = {
    own: await made(here),
    'other property': await made(elsewhere),
    'whole organization': await madeForAll(everywhere),
    'other organization': await made(abroad),
    archived: await madeAndArchived(here),
  };
  return {
    targets,
    places: { own: here, 'other property': elsewhere, 'whole organization': everywhere, archived: here },
  };
}

async function made(place: Place): Promise<Records> {
  const found: Partial<Records> = {};
  for (const kind of allKinds) found[kind] = await makers[kind](place);
  return found as Records;
}

async function madeForAll(place: Place): Promise<Partial<Records>> {
  const found: Partial<Records> = {};
  for (const kind of allKinds.filter((one) => !atProperties.includes(one))) found[kind] = await makers[kind](place);
  return found;
}

async function madeAndArchived(place: Place): Promise<Partial<Records>> {
  const found: Partial<Records> = {};
  for (const kind of archivable) found[kind] = await archived(place, kind, await makers[kind](place));
  return found;
}

export async function archived({ api }: Place, kind: Kind, ids: Ids): Promise<Ids> {
  const { status, text } = await api.post(archivals[kind]?.(ids) as string);
  if (status !== 200) throw new Error(`${kind} was not archived: ${text}`);
  return ids;
}

/** What the last part of an operation's path refers to. */
export const targetOf = ({ pathParameters }: Operation): Kind | undefined =>
  pathParameters.length > 0 ? kindOf(pathParameters.at(-1) as string) : undefined;

/** The path parameters; those that are not given refer to nothing that exists. */
export const addressOf = ({ pathParameters }: Operation, ids: Ids): Record<string, string> =>
  Object.fromEntries(
    pathParameters.map((parameter) => [parameter, ids[kindOf(parameter)] ?? absent(kindOf(parameter))]),
  );

/** What an operation names in its body or its query. */
export const referencesOf = ({ input, pathParameters }: Operation): string[] =>
  Object.keys(schemaOf(input).properties ?? {}).filter(
    (field) => isReference(field) && !pathParameters.includes(field),
  );

export const given = (field: string, id: string): object => ({
  [field]: field.endsWith('Ids') || field === 'connectsTo' ? [id] : id,
});

/** The minimum input of an operation besides its path; required references are our own. */
export function bodyOf(operation: Operation, { own }: Targets): object {
  const fixed = inputs[operation.name] ?? {};
  const required = (schemaOf(operation.input).required ?? []) as string[];
  const named = referencesOf(operation).filter((field) => required.includes(field) && !(field in fixed));
  const known = [...operation.pathParameters, ...named, ...Object.keys(fixed)];
  const missing = required.filter((field) => !known.includes(field));
  if (missing.length > 0) throw new Error(`Add ${missing.join(', ')} of ${operation.name} to inputs in oracle.ts`);
  return Object.assign({}, fixed, ...named.map((field) => given(field, own[kindOf(field)][kindOf(field)] as string)));
}

/**
 * A record of ours below a parent that is not its own, and the equivalent request without a record below that parent.
 */
export function belowAnother({ pathParameters }: Operation, kind: Kind, { own }: Targets): [Ids, Ids] {
  const parent = kindOf(pathParameters[0] as string);
  const other = { [parent]: own[parent][parent] };
  return [{ ...own[kind], ...other }, other];
}

/** A response without the ids of its own path. */
export const shapeOf = (operation: Operation, reply: DoorReply, ids: Ids): string =>
  shape(reply, Object.values(addressOf(operation, ids)));
