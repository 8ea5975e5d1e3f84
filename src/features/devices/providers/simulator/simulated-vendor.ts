import {
  type DeviceCapabilities,
  type DeviceLimits,
  type DeviceState,
  type DeviceType,
  unknownState,
} from '../../device.dto.js';
import { aimOf } from '../device-aim.js';
import type { FoundCode } from '../device-answers.js';
import type { CodeOrder, DeviceAction, DeviceOrder } from '../device-provider.js';

/** How the simulated vendor treats commands to a device. */
export const behaviours = [
  'ok',
  'refuse',
  'busy',
  'slow',
  'unreachable',
  'lose-answer',
  'malformed',
  'corrupt',
] as const;
export type Behaviour = (typeof behaviours)[number];

export const slowMs = 15_000;

/** A received command: when it takes effect, or whether sending it again could help. */
interface SimulatedCommand {
  id: string;
  action: DeviceAction;
  outcome: { takesEffectAt: string; isDone: boolean } | { refused: { retryable: boolean } };
}

/** The vendor's stored state of one device, separate from the service's own data. */
export interface Memory {
  state: DeviceState;
  contacts: number;
  effects: number;
  commands: SimulatedCommand[];
  /** Identifies a code without its digits, so that stolen rows open no doors. */
  codes: (FoundCode & { codeId: string; fingerprint: string })[];
}

export interface SimulatedDevice {
  providerDeviceId: string;
  name: string;
  type: DeviceType;
  model: string;
  capabilities: DeviceCapabilities;
  limits: DeviceLimits;
  state: Partial<DeviceState>;
}

const lock = (number: number, name: string): SimulatedDevice => ({
  providerDeviceId: `sim-lock-${number}`,
  name,
  type: 'lock',
  model: 'Simulated Lock',
  capabilities: {
    lockDevice: true,
    unlockDevice: true,
    setDeviceTemperature: false,
    setDeviceMode: false,
    accessCodes: true,
  },
  limits: {
    minTemperature: null,
    maxTemperature: null,
    modes: [],
    codeSlots: 10,
    minCodeLength: 4,
    maxCodeLength: 8,
  },
  state: { lockState: 'locked' },
});

/** The devices of every simulated account. */
export const simulatedDevices: readonly SimulatedDevice[] = [
  lock(1, 'Front door'),
  lock(2, 'Back door'),
  {
    providerDeviceId: 'sim-thermostat-1',
    name: 'Thermostat',
    type: 'thermostat',
    model: 'Simulated Thermostat',
    capabilities: {
      lockDevice: false,
      unlockDevice: false,
      setDeviceTemperature: true,
      setDeviceMode: true,
      accessCodes: false,
    },
    limits: {
      minTemperature: 7,
      maxTemperature: 30,
      modes: ['off', 'heat', 'cool', 'auto'],
      codeSlots: null,
      minCodeLength: null,
      maxCodeLength: null,
    },
    state: { temperature: 19, targetTemperature: 19, mode: 'heat' },
  },
];

export const freshMemory = ({ state }: SimulatedDevice): Memory => ({
  state: { ...unknownState, ...state },
  contacts: 0,
  effects: 0,
  commands: [],
  codes: [],
});

const remembered = 100;

/** Receives a command. One that was received or asked about before changes nothing. */
export function arrive(memory: Memory, { commandId, action }: DeviceOrder, behaviour: Behaviour, now: Date): void {
  memory.contacts += 1;
  if (memory.commands.some(({ id }) => id === commandId)) return;
  const takesEffectAt = new Date(now.getTime() + (behaviour === 'slow' ? slowMs : 0)).toISOString();
  const isRefused = behaviour === 'refuse' || behaviour === 'busy';
  remember(memory, {
    id: commandId,
    action,
    outcome: isRefused ? { refused: { retryable: behaviour === 'busy' } } : { takesEffectAt, isDone: false },
  });
  pass(memory, now);
}

/** The outcome of a command. One that never arrived is rejected if it arrives later, so that this answer stays true. */
export function became(memory: Memory, { commandId, action }: DeviceOrder): SimulatedCommand['outcome'] {
  const known = memory.commands.find(({ id }) => id === commandId);
  return known?.outcome ?? remember(memory, { id: commandId, action, outcome: { refused: { retryable: true } } });
}

/** Advances time: commands that are due by now take effect. */
export function pass(memory: Memory, now: Date): void {
  for (const { action, outcome } of memory.commands) {
    if ('refused' in outcome || outcome.isDone || Date.parse(outcome.takesEffectAt) > now.getTime()) continue;
    outcome.isDone = true;
    memory.effects += 1;
    Object.assign(memory.state, effectOf(action));
  }
}

function remember(memory: Memory, command: SimulatedCommand): SimulatedCommand['outcome'] {
  memory.commands = [...memory.commands, command].slice(-remembered);
  return command.outcome;
}

/** The simulated room is small: it reaches its temperature immediately. */
const effectOf = (action: DeviceAction): Partial<DeviceState> => ({
  ...aimOf(action),
  ...(action.operation === 'setDeviceTemperature' && { temperature: action.temperature }),
});

/** The vendor's id for a stored code, or the reason why it is not stored. */
export type KeptCode = { providerRef: string };
export type NotKept = { reason: 'duplicate' | 'no-free-slot' };

/** Sets a code; repeated calls have no further effect. */
export function keepCode(memory: Memory, order: CodeOrder, fingerprint: string, slots: number): KeptCode | NotKept {
  memory.contacts += 1;
  const { codeId, name, startsAt, endsAt } = order;
  const providerRef = `sim-${codeId}`;
  const others = memory.codes.filter((kept) => kept.codeId !== codeId);
  if (others.some((kept) => kept.fingerprint === fingerprint)) return { reason: 'duplicate' };
  if (others.length >= slots) return { reason: 'no-free-slot' };
  memory.effects += 1;
  memory.codes = [...others, { codeId, providerRef, name, code: null, fingerprint, startsAt, endsAt, isSet: true }];
  return { providerRef };
}
