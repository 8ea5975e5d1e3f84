import type { Failure } from '../device-answers.js';
import { type Contact, read } from './bridge.js';
import type { Message } from './mqtt-session.js';

/** Statuses of the Zigbee Cluster Library (section 2.6.3) after which the same will be refused again. */
const forGood = /^(UNSUP|INVALID|MALFORMED|NOT_AUTHORIZED|READ_ONLY|WRITE_ONLY|ACTION_DENIED|NOT_FOUND|INCONSISTENT)/;

/**
 * A refusal by the device, which zigbee2mqtt only logs. A command that was not delivered, or not answered in time, is
 * not refused: it may have arrived.
 */
export function refusalIn({ device }: Contact, logTopic: string, { topic, text }: Message): Failure | undefined {
  if (topic !== logTopic) return undefined;
  const { level, message } = read(text) ?? {};
  if (level !== 'error' || typeof message !== 'string') return undefined;
  if (!message.includes(`Publish 'set'`) || !message.includes(`to '${device.friendly_name}' failed`)) return undefined;
  const status = /Status '([A-Z_]+)'/.exec(message)?.[1];
  if (!status || status === 'TIMEOUT') return undefined;
  return { outcome: 'refused', retryable: !forGood.test(status) };
}
