import { ThrottlerStorage } from '@nestjs/throttler';
import type { ApprovalRules, RequestCaller } from '#access';
import { unavailable } from '#errors';
import { IdempotencyRecords } from '#idempotency';
import { Catalogue, fieldsOf, type JsonSchema, type Operation } from '#operations';
import type { Approval } from '../../../src/auth/approvals/approval.entity.js';
import { ApprovalRulesRepository } from '../../../src/auth/approval-rules/approval-rules.repository.js';
import { ApprovalRequests } from '../../../src/auth/approvals/approval-requests.service.js';
import { mayNoLonger, mostPending } from '../../../src/auth/approvals/approvals.errors.js';
import { ApprovalsRepository } from '../../../src/auth/approvals/approvals.repository.js';
import { CredentialsService } from '../../../src/auth/bearer/credentials.service.js';
import { ownRefusalsOf, refusalsOf } from '../../../src/edge/refusals.js';
import { Rehearsals } from '../../../src/edge/writes/rehearsals.js';
import { approvalOf } from '../../support/approvals.js';
import { requestFor } from '../../support/doors.js';
import { keyWith } from '../../support/factories.js';
import { codeOf } from '../../support/hotel.js';
import { sampled } from '../../support/sampled.js';
import { type Service, startApp } from '../../support/start-app.js';
import { absent, type Ids, makers, type Place, placeOf } from '../authorization/fixtures.js';
import { sharedCodes } from './shared-codes.js';
import { addressOf, bodyOf, targetOf, type Targets } from '../authorization/targets.js';

/** The errors that any operation of a kind returns: `npm test` tests some operations, `npm run test:long` every one. */
let service: Service;
let operations: readonly Operation[];
let keys: Record<'all' | 'elsewhere', string>;
let approval: Approval;
let place: Place;
const made = new Map<string, Ids>();

beforeAll(async () => {
  service = await startApp({ WORKER: 'off' });
  const all = await keyWith(service.api);
  operations = service.app
    .get(Catalogue)
    .all()
    .map(({ operation }) => operation);
  keys = {
    all: all.key,
    elsewhere: (await keyWith(service.api, { allowedAddresses: ['203.0.113.1'] })).key,
  };
  place = await placeOf(service, all.api, 'Here');
  approval = Object.assign(await approvalOf(place), { endedAt: new Date().toISOString() });
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => service.close());

const least: Record<string, object> = {
  changeTasksInBulk: { taskIds: [absent('task')] },
  mergeGuests: { fromGuestId: absent('guest').replace(/0$/, '1') },
};

/** Valid input that names nothing that exists. */
function inputOf(operation: Operation): object {
  const nothing = new Proxy({}, { get: (_, kind) => ({ [kind]: absent(kind as never) }) });
  return { ...addressOf(operation, {}), ...bodyOf(operation, { own: nothing } as Targets), ...least[operation.name] };
}

const ask = (
  operation: Operation,
  input = inputOf(operation),
  key = keys.all,
  headers: Record<string, string> = {},
) => {
  const { method, path, body } = requestFor(operation, input);
  return service.api.as(key).send(method, path, body, headers);
};

/** The caller is as it is, except for some of it. */
function actingAs(changes: Partial<RequestCaller>): void {
  const credentials = service.app.get(CredentialsService);
  const find = credentials.callerOf.bind(credentials);
  jest.spyOn(credentials, 'callerOf').mockImplementation(async (...all) => ({ ...(await find(...all)), ...changes }));
}

const failing = (error: Error) => jest.spyOn(service.app.get(CredentialsService), 'callerOf').mockRejectedValue(error);
function rule(mode: 'ask' | 'forbid', changes: Partial<RequestCaller> = {}): void {
  actingAs({ ...changes, rulesAbout: ['everything'] });
  const rules: ApprovalRules = { rules: [{ isOwn: true, what: 'everything', mode }], askBefore: 'nothing' };
  jest.spyOn(service.app.get(ApprovalRulesRepository), 'of').mockResolvedValue(rules);
}
const asked = (changes: Partial<Approval>): Approval => Object.assign(Object.create(approval) as Approval, changes);
const decided = (status: Approval['status']) => (operation: Operation) => {
  rule('ask');
  jest.spyOn(service.app.get(ApprovalRequests), 'asked').mockResolvedValue(asked({ status }));
  return ask(operation);
};
/** The Idempotency-Key of a write is known. */
const keyIs = (operation: Operation, verdict: 'mismatch' | 'in_flight' | 'beyond') => {
  jest.spyOn(service.app.get(IdempotencyRecords), 'claim').mockResolvedValue({ verdict });
  return ask(operation, inputOf(operation), keys.all, { 'idempotency-key': 'known' });
};

async function recordOf(operation: Operation): Promise<Ids> {
  const kind = targetOf(operation);
  if (!kind) return {};
  if (!made.has(kind)) made.set(kind, await makers[kind](place));
  return made.get(kind) as Ids;
}

const saying = ({ name }: Operation): object => (name === 'saveReservationByRef' ? { notes: 'Late' } : { name: 'New' });

/** How each is provoked. */
const provoking: Record<string, (operation: Operation) => Promise<{ status: number; body: unknown }>> = {
  VALIDATION_ERROR: (operation) => ask(operation, { ...inputOf(operation), nonsense: 1 }),
  UNAUTHORIZED: (operation) => ask(operation, inputOf(operation), 'sk_live_nobody'),
  FORBIDDEN: (operation) => {
    if (operation.scope) actingAs({ permissions: new Set() });
    else {
      rule('ask');
      jest.spyOn(service.app.get(ApprovalRequests), 'asked').mockRejectedValue(mayNoLonger());
    }
    return ask(operation);
  },
  ADDRESS_NOT_ALLOWED: (operation) => ask(operation, inputOf(operation), keys.elsewhere),
  TWO_FACTOR_REQUIRED: (operation) => (actingAs({ secondFactorMissing: true }), ask(operation)),
  RATE_LIMITED: (operation) => {
    const used = { isBlocked: true, timeToBlockExpire: 1, limit: 1, remaining: 0, resetAtEpochSeconds: 1 };
    jest.spyOn(service.app.get(ThrottlerStorage, { strict: false }), 'increment').mockResolvedValue(used as never);
    return ask(operation);
  },
  INTERNAL_ERROR: (operation) => (failing(new Error('unexpected')), ask(operation)),
  SERVICE_UNAVAILABLE: (operation) => (failing(unavailable('The database is away.', 1)), ask(operation)),
  CONFLICT: (operation) => keyIs(operation, 'in_flight'),
  PERMANENT_MUTATION_ERROR: (operation) => {
    if (operation.effect !== 'read') return keyIs(operation, 'mismatch');
    rule('ask');
    jest.spyOn(service.app.get(ApprovalsRepository), 'ofKey').mockResolvedValue(asked({}));
    return ask(operation, inputOf(operation), keys.all, { 'idempotency-key': 'known' });
  },
  ORGANIZATION_WIDE: (operation) => {
    if (operation.effect !== 'read') return keyIs(operation, 'beyond');
    rule('ask', { propertyIds: [] });
    jest.spyOn(service.app.get(ApprovalRequests), 'asked').mockResolvedValue(asked({ propertyIds: ['elsewhere'] }));
    return ask(operation);
  },
  FORBIDDEN_BY_RULE: (operation) => (rule('forbid'), ask(operation)),
  APPROVAL_REFUSED: decided('refused'),
  APPROVAL_WITHDRAWN: decided('withdrawn'),
  APPROVAL_EXPIRED: decided('expired'),
  TOO_MANY_APPROVALS: (operation) => {
    rule('ask');
    jest.spyOn(service.app.get(Rehearsals), 'collect').mockResolvedValue({ result: {}, happened: [] } as never);
    const waiting = Array.from({ length: mostPending }, () =>
      Object.assign(Object.create(approval), { status: 'pending' }),
    );
    jest.spyOn(service.app.get(ApprovalsRepository), 'pendingOf').mockResolvedValue(waiting as Approval[]);
    return ask(operation);
  },
  NOT_FOUND: (operation) => {
    if (operation.pathParameters.length > 0) return ask(operation);
    const field = fieldsOf(operation.input).find(({ schema }) => isId(schema));
    const { name = '', schema = {} } = field ?? {};
    const isList = [schema, ...((schema.anyOf ?? []) as JsonSchema[])].some(({ type }) => type === 'array');
    return ask(operation, { ...inputOf(operation), [name]: isList ? ['nobody'] : 'nobody' });
  },
  VERSION_MISMATCH: async (operation) => {
    const ids = await recordOf(operation);
    const other = operation.name === 'mergeGuests' && { fromGuestId: (await makers.guest(place)).guest };
    const said = operation.output.kind === 'saved' && operation.name !== 'cancelReservationByRef' && saying(operation);
    return await ask(operation, { ...inputOf(operation), ...addressOf(operation, ids), ...other, ...said }, keys.all, {
      'if-match': '"99"',
    });
  },
};

const isId = ({ items, anyOf = [], ...schema }: JsonSchema): boolean =>
  'x-id' in schema || [items, ...(anyOf as JsonSchema[])].some((inner) => inner && isId(inner as JsonSchema));

const generic = (operation: Operation) => {
  const own = new Set(ownRefusalsOf(operation).map(({ status, code, key }) => `${status} ${code} ${key}`));
  return refusalsOf(operation).filter(({ status, code, key }) => !own.has(`${status} ${code} ${key}`));
};

it('knows how to provoke each error that operations share', () => {
  const codes = new Set(operations.flatMap(generic).map(({ code }) => code));
  expect([...codes].sort()).toEqual([...sharedCodes].sort());
  expect(Object.keys(provoking).sort()).toEqual([...sharedCodes].sort());
});

it.each(Object.keys(provoking).map((code, index) => [code, index] as const))(
  'each operation that declares %s can return it',
  async (code, index) => {
    const declaring = operations.filter((operation) => generic(operation).some((one) => one.code === code));
    const faults: string[] = [];
    for (const operation of sampled(declaring, 16, index)) {
      const reply = await provoking[code]?.(operation);
      jest.restoreAllMocks();
      if (codeOf(reply as never)[1] !== code)
        faults.push(`${operation.name}: ${JSON.stringify(reply?.body).slice(0, 200)}`);
    }
    expect(faults).toEqual([]);
  },
  120_000,
);
