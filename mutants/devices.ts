import { type Edit, type Mutant, mutantsOf, suite } from './mutant.js';

const commands = 'src/features/devices/commands/device-commands.repository.ts';
const commanded = (only: string) => suite('integration/devices/device-commands', only);
const inTurn = (only: string) => suite('integration/devices/command-turns', only);
const coded = suite('integration/devices/access-codes', 'over rest');
const codedForStay = suite('integration/devices/codes-of-stays', 'over rest');
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
    'a list of devices counts from when it came': ['isLater ?', 'false ?'],
  }),
  ...mutantsOf('src/features/devices/device-command.ts', 'unit/devices/device-command', {
    'archived devices are told': 'if (device.archivedAt) return deviceIsArchived();',
    'an organization’s remote control is not asked':
      "if (!organization.remoteControlEnabled) return remoteControlIsOff('organization');",
    'a device’s remote control is not asked': "if (!device.remoteControlEnabled) return remoteControlIsOff('device');",
    'what a device does not offer is sent': 'if (!device.capabilities[action.operation]) return operationNotOffered();',
    'any temperature is sent': [
      'return isTooCold || isTooWarm ? temperatureOutOfRange() : undefined;',
      'return undefined;',
    ],
    'any mode is sent': ['modes.includes(action.mode) ?', 'true ?'],
  }),
  ...mutantsOf(commands, inTurn('run in the order'), {
    'two commands to a device at once': ["other.status = 'sent' or", 'false or'],
    'a command overtakes another': ["(other.status = 'queued' and other.id < $2 and other.due_at > $5)", 'false'],
  }),
  ...mutantsOf('src/features/devices/commands/device-commands.service.ts', inTurn('more than twenty'), {
    'any number of commands waits':
      'if (!refusal && (await this.commands.openAt(orgId, deviceId)) >= mostOpen) throw deviceIsBusy(mostOpen);',
  }),
  ...mutantsOf('src/features/devices/commands/command-steps.service.ts', inTurn('after a minute'), {
    'a command is sent when its minute is over': ' || isPast(command)',
  }),
  ...mutantsOf(commands, inTurn('no longer than they may be sent'), {
    'a command waits for longer than it may be sent': ['then least($4::', 'then greatest($4::'],
  }),
  ...mutantsOf(commands, inTurn('not written by a process'), {
    'an attempt that counts no more writes': [
      'const where = this.claims.where(claimOf(command));',
      "const where = this.table.where(orgId).and('id = ?', uuidIn(command.id));",
    ],
    'a command is taken over while somebody has it': ["      due: 'due_at',", "      due: 'created_at',"],
  }),
  ...mutantsOf('src/features/devices/commands/command-steps.service.ts', inTurn('over rest that wait are rejected'), {
    'a command that waited is not judged again': ' ?? refusalOf(device, organization, actionOf(command))',
  }),
  ...mutantsOf('src/features/devices/commands/device-commands.service.ts', commanded('over rest are rejected before'), {
    'what is refused is sent': [
      'const refusal = refusalOf(device, await this.organizations.get(orgId), action);',
      'const refusal = undefined;',
    ],
  }).map((mutant) => ({ ...mutant, edits: [whenItsTurnComes, ...mutant.edits] })),
  ...mutantsOf(commands, commanded('over rest that started under a key'), {
    'a key past its time is not new': ['set principal = null, idempotency_key = null', 'set principal = principal'],
  }),
  ...mutantsOf(
    'src/features/devices/commands/device-commands.service.ts',
    commanded('over rest that started under a key'),
    {
      'a key for another command': 'if (!begun.isFor(deviceId, action)) throw keyUsedForAnother();',
    },
  ),
  ...mutantsOf('src/features/devices/commands/command-runner.service.ts', 'integration/devices/kill.long', {
    'what was sent is sent again': [': this.inquire(command, over),', ': this.send(command, undefined, over),'],
    'what was never sent is sent late': [
      'this.steps.settle(command, leftUnsent(command))',
      'this.send(command, undefined, over)',
    ],
  }),
  ...mutantsOf(codes, codedForStay, {
    'codes for a stay that is elsewhere': 'if (!isAt(stay, device)) throw stayIsElsewhere();',
    'codes for a stay that is off': 'if (isOff(stay)) throw stayIsOff();',
  }),
  ...mutantsOf(codes, coded, {
    'codes at devices that keep none': 'if (!device.capabilities.accessCodes) throw codesNotOffered();',
    'codes at archived devices': 'if (device.archivedAt) throw deviceIsArchived();',
    'a code that is over is changed': "if (!isLive(locked.code) || status === 'removing') throw codeIsOver(status);",
    'codes that the device has no place for': 'if (blocker) throw blocker.error;',
  }),
  ...mutantsOf('src/features/devices/access-codes/code-digits.ts', coded, {
    'two codes with the same digits': ['this.open(other) === digits', 'false'],
    'digits that the device does not take': [
      'if (digits.length < (minCodeLength ?? shortest) || digits.length > (maxCodeLength ?? longest))',
      'if (false)',
    ],
  }),
  ...mutantsOf('src/features/devices/access-codes/code-follower.service.ts', codedForStay, {
    'a code outlives its stay': 'if (isOff(stay)) return { ...ended(code), calledOff: true };',
    'a code stays in a room that its stay has left':
      'if (!isAt(stay, device)) return { ...ended(code), calledOff: true };',
  }),
  ...mutantsOf('src/features/devices/access-codes/code-follower.service.ts', codedForStay, {
    'a code goes along with a device that leaves its stay': ['(stay && isAt(stay, device))', 'stay'],
  }),
  ...mutantsOf('src/features/devices/discovery.service.ts', coded, {
    'codes are left behind at devices':
      'if (codes.length > 0 && !isForced) throw connectionHasCodes(codes.map((code) => code.id));',
  }),
  ...mutantsOf(plan, codedForStay, {
    'a stay has codes in another unit':
      ' && (unitId === null || stay.unitId === unitId || !(stay.unitId ?? stay.unitTypeId))',
    'a stay that is over keeps its codes': " || ['checked_out', 'no_show'].includes(stayStatus)",
  }),
  ...mutantsOf(plan, coded, {
    'times that make no sense': [
      'if (endsAt && (endsAt <= now() || (startsAt && endsAt <= startsAt))) throw endsTooEarly();',
      '',
    ],
    'a place is taken twice': ['return most < limits.codeSlots;', 'return true;'],
  }),
  ...mutantsOf('src/features/devices/access-codes/access-codes.repository.ts', coded, {
    'what was changed meanwhile is noted': ".and('version = ?', code.version)",
    'what is no longer due is set': ".and('due_at <= ?', now)",
  }),
  ...mutantsOf('src/features/devices/access-codes/code-keeper.service.ts', coded, {
    'a code is set without a look whether it is there': [
      'const found = code.asked ? await this.calls.find(contact, code, ending) : undefined;',
      'const found = undefined;',
    ],
    'an attempt that counts no more settles a code': 'if (current?.attempt !== attempt) return;',
  }),
  ...mutantsOf('src/features/devices/providers/seam/seam-events.ts', suite('integration/devices/vendors', 'Seam'), {
    'a vendor’s signature is not verified': [
      'return new Webhook(secret).verify(',
      'return ((text: string, _headers: object): unknown => JSON.parse(text))(',
    ],
  }),
];
