import { type Edit, type Mutant, mutantsOf, suite } from './mutant.js';

const commands = 'src/features/devices/commands/device-commands.repository.ts';
const commanded = (only: string) => suite('integration/devices/device-commands.slow', only);
const inTurn = (only: string) => suite('integration/devices/command-turns.slow', only);
const coded = suite('integration/devices/access-codes.slow', 'over rest');
const codedForStay = suite('integration/devices/codes-of-stays.slow', 'over rest');
const codes = 'src/features/devices/access-codes/access-codes.service.ts';
const plan = 'src/features/devices/access-codes/code-plan.ts';

/** Commands that may not be sent are rejected on request, and again at their turn. */
const whenItsTurnComes: Edit = {
  file: 'src/features/devices/commands/command-steps.service.ts',
  find: 'const refusal = (await this.lossOf(caller, command)) ?? refusalOf(device, organization, actionOf(command));',
  replace: 'const refusal = undefined;',
};

/** Commands are sent once, and only where allowed; who opens doors, and who may report states of devices. */
export const devices: Mutant[] = [
  ...mutantsOf('src/features/devices/providers/device-connections.ts', commanded('outrank'), {
    'a late list of devices overrides a newer state': ['isLater ?', 'false ?'],
  }),
  ...mutantsOf('src/features/devices/device-command.ts', 'unit/devices/device-command', {
    'archived devices get commands': 'if (device.archivedAt) return deviceIsArchived();',
    'the organization’s remote control setting is ignored':
      "if (!organization.remoteControlEnabled) return remoteControlIsOff('organization');",
    'the device’s remote control setting is ignored':
      "if (!device.remoteControlEnabled) return remoteControlIsOff('device');",
    'commands that a device does not offer are sent':
      'if (!device.capabilities[action.operation]) return operationNotOffered();',
    'temperatures out of range are sent': [
      'return isTooCold || isTooWarm ? temperatureOutOfRange() : undefined;',
      'return undefined;',
    ],
    'modes that a device does not offer are sent': ['modes.includes(action.mode) ?', 'true ?'],
  }),
  ...mutantsOf(commands, inTurn('run in the order'), {
    'a device gets two commands at the same time': ["other.status = 'sent' or", 'false or'],
    'a command overtakes another': ["(other.status = 'queued' and other.id < $2 and other.due_at > $5)", 'false'],
  }),
  ...mutantsOf('src/features/devices/commands/device-commands.service.ts', inTurn('more than twenty'), {
    'more than twenty commands may wait':
      'if (!refusal && (await this.commands.openAt(orgId, deviceId)) >= mostOpen) throw deviceIsBusy(mostOpen);',
  }),
  ...mutantsOf('src/features/devices/commands/command-steps.service.ts', inTurn('after a minute'), {
    'a command is sent after its minute is over': ' || isPast(command)',
  }),
  ...mutantsOf(commands, inTurn('no longer than they may be sent'), {
    'a command waits for longer than it may be sent': ['then least($4::', 'then greatest($4::'],
  }),
  ...mutantsOf(commands, inTurn('not written by a process'), {
    'an attempt whose claim is lost writes its result': [
      'const where = this.claims.where(claimOf(command));',
      "const where = this.table.where(orgId).and('id = ?', uuidIn(command.id));",
    ],
    'a command is taken over while another process holds it': ["      due: 'due_at',", "      due: 'created_at',"],
  }),
  ...mutantsOf('src/features/devices/commands/command-steps.service.ts', inTurn('over rest that wait are rejected'), {
    'a command is not checked again after it has waited': ' ?? refusalOf(device, organization, actionOf(command))',
  }),
  ...mutantsOf('src/features/devices/commands/device-commands.service.ts', commanded('over rest are rejected before'), {
    'rejected commands are sent': [
      'const refusal = refusalOf(device, await this.organizations.get(orgId), action);',
      'const refusal = undefined;',
    ],
  }).map((mutant) => ({ ...mutant, edits: [whenItsTurnComes, ...mutant.edits] })),
  ...mutantsOf(commands, commanded('over rest that started under a key'), {
    'an expired idempotency key is not reusable': [
      'set principal = null, idempotency_key = null',
      'set principal = principal',
    ],
  }),
  ...mutantsOf(
    'src/features/devices/commands/device-commands.service.ts',
    commanded('over rest that started under a key'),
    {
      'an idempotency key is accepted for another command':
        'if (!begun.isFor(deviceId, action)) throw keyUsedForAnother();',
    },
  ),
  ...mutantsOf('src/features/devices/commands/command-runner.service.ts', 'integration/devices/kill.long', {
    'a command that was sent is sent again': [
      ': this.inquire(command, over),',
      ': this.send(command, undefined, over),',
    ],
    'a command that was not sent in time is sent late': [
      'this.steps.settle(command, leftUnsent(command))',
      'this.send(command, undefined, over)',
    ],
  }),
  ...mutantsOf(codes, codedForStay, {
    'codes are created for a stay at another place': 'if (!isAt(stay, device)) throw stayIsElsewhere();',
    'codes are created for a stay that has ended': 'if (isOff(stay)) throw stayIsOff();',
  }),
  ...mutantsOf(codes, coded, {
    'codes are created at devices without codes': 'if (!device.capabilities.accessCodes) throw codesNotOffered();',
    'codes are created at archived devices': 'if (device.archivedAt) throw deviceIsArchived();',
    'a code that has ended is changed': "if (!isLive(locked.code) || status === 'removing') throw codeIsOver(status);",
    'codes are created beyond the device’s slots': 'if (blocker) throw blocker.error;',
  }),
  ...mutantsOf('src/features/devices/access-codes/code-digits.ts', coded, {
    'two codes of a device have the same digits': ['this.open(other) === digits', 'false'],
    'digits of a length that the device does not accept': [
      'if (digits.length < (minCodeLength ?? shortest) || digits.length > (maxCodeLength ?? longest))',
      'if (false)',
    ],
  }),
  ...mutantsOf('src/features/devices/access-codes/code-follower.service.ts', codedForStay, {
    'a code stays after its stay has ended': 'if (isOff(stay)) return { ...ended(code), calledOff: true };',
    'a code stays at a unit that its stay has left':
      'if (!isAt(stay, device)) return { ...ended(code), calledOff: true };',
  }),
  ...mutantsOf('src/features/devices/access-codes/code-follower.service.ts', codedForStay, {
    'a code moves with its device away from its stay': ['(stay && isAt(stay, device))', 'stay'],
  }),
  ...mutantsOf('src/features/devices/discovery.service.ts', coded, {
    'a connection with codes is disconnected':
      'if (codes.length > 0 && !isForced) throw connectionHasCodes(codes.map((code) => code.id));',
  }),
  ...mutantsOf(plan, codedForStay, {
    'a stay gets codes at another unit':
      ' && (unitId === null || stay.unitId === unitId || !(stay.unitId ?? stay.unitTypeId))',
    'a stay keeps its codes after check-out': " || ['checked_out', 'no_show'].includes(stayStatus)",
  }),
  ...mutantsOf(plan, coded, {
    'codes that end before they start are accepted': [
      'if (endsAt && (endsAt <= now() || (startsAt && endsAt <= startsAt))) throw endsTooEarly();',
      '',
    ],
    'two codes take the same slot': ['return most < limits.codeSlots;', 'return true;'],
  }),
  ...mutantsOf('src/features/devices/access-codes/access-codes.repository.ts', coded, {
    'an attempt is recorded on a code that has changed': ".and('version = ?', code.version)",
    'a code that is no longer due is set': ".and('due_at <= ?', now)",
  }),
  ...mutantsOf('src/features/devices/access-codes/code-keeper.service.ts', coded, {
    'a code is set without checking whether it exists': [
      'const found = code.asked ? await this.calls.find(contact, code, ending) : undefined;',
      'const found = undefined;',
    ],
    'an attempt whose claim is lost completes a code': 'if (current?.attempt !== attempt) return;',
  }),
  ...mutantsOf(
    'src/features/devices/providers/seam/seam-events.ts',
    suite('integration/devices/vendors.slow', 'Seam'),
    {
      'a vendor’s signature is not verified': [
        'return new Webhook(secret).verify(',
        'return ((text: string, _headers: object): unknown => JSON.parse(text))(',
      ],
    },
  ),
];
