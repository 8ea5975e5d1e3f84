import { Logger } from '@nestjs/common';
import type { Account } from '../../../src/outside/connections/connection-provider.js';
import { AccessCode } from '../../../src/features/devices/access-codes/access-code.entity.js';
import { CodeCalls } from '../../../src/features/devices/access-codes/code-calls.js';
import type { CodeDigits } from '../../../src/features/devices/access-codes/code-digits.js';
import { ProviderCalls } from '../../../src/features/devices/commands/provider-calls.js';
import type { CodeAnswer, CommandAnswer } from '../../../src/features/devices/providers/device-answers.js';
import type { CodeKeeping, DeviceProvider } from '../../../src/features/devices/providers/device-provider.js';
import type { DeviceProviders } from '../../../src/features/devices/providers/device-providers.js';
import { ProviderContact } from '../../../src/features/devices/providers/provider-contact.js';
import { until } from '../../support/feed.js';

/** An adapter that answers as the test says, to commands and about codes. */
function adapterOf(answer: () => Promise<CommandAnswer>) {
  let contacts = 0;
  const contacted = () => {
    contacts += 1;
    return answer();
  };
  const adapter = { send: contacted } as unknown as DeviceProvider;
  const keeping = { set: contacted, remove: contacted, list: contacted } as unknown as CodeKeeping;
  const contact = new ProviderContact();
  const calls = new ProviderCalls({ named: () => adapter } as unknown as DeviceProviders, contact);
  const codes = new CodeCalls({ open: () => '1234' } as unknown as CodeDigits, contact);
  const { signal } = new AbortController();
  const order = { commandId: 'a', providerDeviceId: 'b', action: { operation: 'lockDevice' as const } };
  const accountOf = (id: string) => ({ connection: { id } }) as unknown as Account<object>;
  const codeContact = { account: accountOf('one'), keeping, providerDeviceId: 'b' };
  const code = Object.assign(new AccessCode(), { id: 'code', asked: true, providerRef: null });
  return {
    send: (connection = 'one') => calls.send(accountOf(connection), order, signal),
    setCode: (): Promise<CodeAnswer> => codes.set(codeContact, code, signal),
    findCode: () => codes.find(codeContact, code, signal),
    removeCode: () => codes.remove(codeContact, code, signal),
    contacts: () => contacts,
  };
}

beforeAll(() => Logger.overrideLogger(false));

describe('contact with a provider', () => {
  it('pauses when it is down, only for that connection', async () => {
    let answer: CommandAnswer = { outcome: 'unreachable' };
    const provider = adapterOf(() => Promise.resolve(answer));
    for (let times = 0; times < 5; times += 1) await provider.send();
    answer = { outcome: 'confirmed' };
    expect([await provider.send(), provider.contacts()]).toEqual([{ outcome: 'unreachable' }, 5]);
    expect([await provider.send('another'), provider.contacts()]).toEqual([{ outcome: 'confirmed' }, 6]);
    const back = await until(
      () => provider.send(),
      (reply) => reply?.outcome === 'confirmed',
    );
    expect([back, provider.contacts()]).toEqual([{ outcome: 'confirmed' }, 7]);
  });

  it('continues while it rejects or loses responses, because it is up', async () => {
    for (const answer of [{ outcome: 'refused', retryable: true } as const, { outcome: 'unknown' } as const]) {
      const provider = adapterOf(() => Promise.resolve(answer));
      for (let times = 0; times < 10; times += 1) expect(await provider.send()).toEqual(answer);
      expect(provider.contacts()).toBe(10);
    }
  });

  it('is limited to 16 at the same time', async () => {
    let answerAll: (answer: CommandAnswer) => void = () => undefined;
    const hanging = new Promise<CommandAnswer>((resolve) => (answerAll = resolve));
    const provider = adapterOf(() => hanging);
    const sent = Array.from({ length: 16 }, () => provider.send());
    expect([await provider.send(), provider.contacts()]).toEqual([{ outcome: 'unreachable' }, 16]);
    expect([await provider.setCode(), provider.contacts()]).toEqual([{ outcome: 'unreachable' }, 16]);
    const beside = provider.send('another');
    answerAll({ outcome: 'confirmed' });
    expect(await Promise.all([...sent, beside])).toEqual(Array(17).fill({ outcome: 'confirmed' }));
  });

  it('stops for commands and access codes alike', async () => {
    const down = adapterOf(() => Promise.resolve({ outcome: 'unreachable' }));
    for (let times = 0; times < 2; times += 1) await down.send();
    expect(await down.setCode()).toEqual({ outcome: 'unreachable' });
    expect([await down.findCode(), await down.removeCode()]).toEqual([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
    expect(down.contacts()).toBe(5);
    expect([await down.send(), await down.setCode()]).toEqual([{ outcome: 'unreachable' }, { outcome: 'unreachable' }]);
    expect([await down.findCode(), await down.removeCode()]).toEqual([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
    expect(down.contacts()).toBe(5);
  });

  it('ignores what breaks the contract', async () => {
    const corrupt = adapterOf(() => Promise.resolve({ outcome: 'perhaps' } as unknown as CommandAnswer));
    expect(await corrupt.send()).toBeUndefined();
    const throwing = adapterOf(() => Promise.reject(new Error('ECONNRESET')));
    expect(await throwing.send()).toBeUndefined();
    const silent = adapterOf(() => Promise.resolve(undefined as unknown as CommandAnswer));
    expect(await silent.send()).toBeUndefined();
    for (const broken of [corrupt, throwing, silent]) expect(await broken.setCode()).toEqual({ outcome: 'unknown' });
  });
});
