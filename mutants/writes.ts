import { type Mutant, mutantsOf, suite } from './mutant.js';

const idempotency = 'integration/edge/idempotency';
const inNoTable = suite('integration/workflows/sealed-secrets.slow', 'over rest secrets of steps are in no table');

/** What is done once, by one process, and reported correctly. */
export const writes: Mutant[] = [
  ...mutantsOf(
    'src/features/tasks/tasks.operations.ts',
    suite('integration/jobs/statements.slow', 'in one round trip'),
    {
      'the key of a create is claimed in a separate round trip': ['  repeatable: true,\n', ''],
    },
  ),
  ...mutantsOf(
    'src/platform/requests/request-log.repository.ts',
    suite('integration/requests/requests.slow', 'chose as it was sent'),
    {
      'a quotation mark in an id ends the list': [`.replace(/["\\\\]/g, '\\\\$&')`, ''],
    },
  ),
  ...mutantsOf(
    'src/edge/writes/idempotent-writes.ts',
    suite('integration/tasks/create-task-once', 'keeps an error that a retry would get again'),
    {
      'an immediate error is not kept': [
        ' || (error instanceof ServiceError && error.deterministic)) return',
        ') return',
      ],
    },
  ),
  ...mutantsOf('src/edge/writes/idempotent-writes.ts', idempotency, {
    'a key in flight is claimed again': "if (claim.verdict === 'in_flight') throw inFlight(retryAfterSeconds);",
    'a key is accepted for another request': "if (claim.verdict === 'mismatch') throw usedForAnother();",
    'a replay shows records beyond the current limit': "if (claim.verdict === 'beyond') throw organizationWide();",
    'a key is not replayed': [
      "return claim.verdict === 'replay' ? replayOf(claim.answer, claim.requestId) : undefined;",
      'return undefined;',
    ],
    'an expired key is an error': ['isOfOldKey(error) || ', ''],
    'a failed request keeps what it has written': '        await this.database.undoPart(part);\n',
    'every error is kept': 'if (!(error instanceof ServiceError) || !error.deterministic) throw error;',
    'keys are shared by all credentials': ['principal: caller.credential.principal,', "principal: 'all',"],
    'the input is not compared': [
      'fingerprintOf(name, { ...path, ...query, ...(body as object | undefined) })',
      'fingerprintOf(name, {})',
    ],
    'the operation is not compared': ['return await fingerprintOf(name,', "return await fingerprintOf('any',"],
    'a response with a secret is stored unencrypted': ['secret: operation.showsSecret !== undefined', 'secret: false'],
    'a replay has its own request id': "'X-Request-Id': requestId, ",
  }),
  ...mutantsOf('libs/idempotency/idempotency-records.ts', idempotency, {
    'the current limit is not compared': ['coalesce(property_limit <@ $4::jsonb, true)', 'true'],
    'a replay under an equal or wider limit is rejected': ['property_limit <@ $4', 'property_limit = $4'],
    'responses are kept forever': ['const keptMs = 24 *', 'const keptMs = 24_000 *'],
  }),
  ...mutantsOf('libs/access/version.ts', 'integration/tasks/update-task', {
    'If-Match is ignored': ['caller.expectedVersion === undefined ||', 'true ||'],
  }),
  ...mutantsOf('libs/secrets/keyring.ts', 'unit/secrets/keyring', {
    'a secret can be decrypted in another context': [
      '      .setAAD(Buffer.from(context))',
      "      .setAAD(Buffer.from(''))",
    ],
  }),
  ...mutantsOf('src/features/workflows/workflows.repository.ts', inNoTable, {
    'a workflow stores the secrets of its steps as they are': [
      'steps: this.secrets.seal(version.steps, version)',
      'steps: version.steps',
    ],
  }),
  ...mutantsOf('src/features/workflows/runs/run-steps.service.ts', inNoTable, {
    'a run notes the secrets of its steps as they are': [
      'return this.secrets.sealInput(step.operation, input, run);',
      'return input;',
    ],
  }),
  ...mutantsOf(
    'src/features/workflows/step-secrets.service.ts',
    suite('integration/workflows/sealed-secrets.slow', 'over rest a sealed secret opens'),
    { 'a sealed secret opens in any workflow': ['`steps:${orgId}:${workflowId}`', '`steps:${orgId}`'] },
  ),
  ...mutantsOf(
    'src/features/workflows/step-secrets.service.ts',
    suite('integration/ops/portability.slow', 'from an untrusted source'),
    {
      'what looks sealed is opened, whoever wrote it': [
        'return { sealed: this.keyring',
        'return isSealed(secret) ? secret : { sealed: this.keyring',
      ],
    },
  ),
  ...mutantsOf('libs/jobs/claimed-rows.ts', 'integration/models/model-jobs.slow', {
    'an attempt whose claim is lost writes its result': [
      'this.claims.where(claim)',
      "this.where(claim.orgId).and('id = ?', claim.id.replace('job_', ''))",
    ],
  }),
  ...mutantsOf('src/outside/models/model-jobs.repository.ts', 'integration/models/model-jobs.slow', {
    'a job that is not due is claimed': ["      due: 'due_at',", "      due: 'created_at',"],
  }),
  ...mutantsOf('src/features/tasks/attachments/file-type.ts', suite('integration/tasks/task-planning', 'attachments'), {
    'files keep a name of another type': ['? fileName : fileName + extensions[type][0]', '? fileName : fileName'],
  }),
  ...mutantsOf(
    'src/features/tasks/attachments/attachments.service.ts',
    suite('integration/tasks/task-planning', 'attachments'),
    {
      'forged links to files are accepted': [
        'if (!isOurs || Number(link.expires) < Date.now())',
        'if (Number(link.expires) < Date.now())',
      ],
      'links to files never expire': ['if (!isOurs || Number(link.expires) < Date.now())', 'if (!isOurs)'],
    },
  ),
];
