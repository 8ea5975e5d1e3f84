import { Catalogue, type Operation, schemaOf } from '#operations';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { type DoorReply, doorNames, doors } from '../../support/doors.js';
import { sampled } from '../../support/sampled.js';
import { brief, faultsOf } from './asking.js';
import {
  credentialNames,
  makeCredentials,
  openOrganizations,
  type Organizations,
  type Verdict,
} from './credentials.js';
import { absent } from './fixtures.js';
import { kindOf, kinds, noReferences, restOnly, scopeOf, scopes } from './oracle.js';

let organizations: Organizations;
let credentials: Awaited<ReturnType<typeof makeCredentials>>;
let operations: Operation[];
beforeAll(async () => {
  organizations = await openOrganizations({ WORKER: 'off' });
  credentials = await makeCredentials(organizations);
  const catalogue = organizations.world.service.app.get(Catalogue);
  operations = catalogue.all().map(({ operation }) => operation);
}, 60_000);
afterAll(async () => {
  clock.restore();
  await organizations.world.close();
});

/**
 * Invalid for every operation, so that a request with it has no effect; this error appears after everything before the
 * body has passed.
 */
const nonsense = { nonsense: 1 };
const isRejectedAsInvalid = ({ status, body }: DoorReply): boolean =>
  status === 400 && body.error.details.issues.some(({ path }: Json) => path[0] === 'nonsense');

const isAs: Record<Verdict, (reply: DoorReply, scope?: string) => boolean> = {
  passes: isRejectedAsInvalid,
  unauthorized: ({ status, body }) => status === 401 && body.error.code === 'UNAUTHORIZED',
  forbidden: ({ status, body }, scope) =>
    status === 403 && body.error.code === 'FORBIDDEN' && body.error.message.startsWith(`Missing permission ${scope} `),
  'organization-wide': ({ status, body }) => status === 403 && body.error.code === 'ORGANIZATION_WIDE',
  'second factor': ({ status, body }) => status === 403 && body.error.code === 'TWO_FACTOR_REQUIRED',
};

describe('the oracle', () => {
  it('knows every operation, every id that one takes, and nothing else', () => {
    expect([...scopeOf.keys()].sort()).toEqual(operations.map(({ name }) => name).sort());
    const fields = operations.flatMap(({ input }) => Object.keys(schemaOf(input).properties ?? {}));
    const ids = [...new Set(fields.filter((name) => /Ids?$|^connectsTo$/.test(name)))].sort();
    expect([...Object.keys(kinds), ...noReferences].sort()).toEqual(ids);
  });
});

describe.each(doorNames)('over %s', (name) => {
  it.each(credentialNames)('%s gets exactly as far as it may with every operation', async (credential) => {
    const { of, verdict, depends } = credentials[credential];
    // One guard serves all operations, so each run checks over REST with keys what depends on the operation.
    const every = !depends || name === 'mcp' ? 16 : credential.startsWith('a key') ? 1 : 4;
    const chosen = new Set(sampled(operations, every, credentialNames.indexOf(credential)));
    const faults: string[] = [];
    for (const scope of [undefined, ...scopes]) {
      const door = doors(organizations.world.service)[name].as(await of(scope));
      const asked = [...chosen]
        .filter((operation) => scopeOf.get(operation.name) === scope)
        .filter((operation) => name === 'rest' || !restOnly.includes(operation.name));
      const fault = async (operation: Operation): Promise<string | undefined> => {
        const address = operation.pathParameters.map((parameter) => [parameter, absent(kindOf(parameter))] as const);
        const reply = await door.ask(operation.name, { ...Object.fromEntries(address), ...nonsense });
        return isAs[verdict(scope, operation)](reply, scope) ? undefined : `${operation.name}: ${brief(reply)}`;
      };
      faults.push(...(await faultsOf(asked, fault)));
    }
    expect(faults).toEqual([]);
  });
});
