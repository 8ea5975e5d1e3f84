import { Keyring, type KeyringData, newKeyringData } from '#secrets';

const data = newKeyringData();
const keyring = new Keyring(data);
/** The same keyring with a newer secret before the old one. */
const rotated = (of: KeyringData): Keyring => {
  const { peppers, encryption } = newKeyringData();
  const newer = (items: KeyringData['peppers']) => items.map((item) => ({ ...item, version: 2 }));
  return new Keyring({
    peppers: [...newer(peppers), ...of.peppers],
    encryption: [...newer(encryption), ...of.encryption],
  });
};

/** Reported by Node's own error, which is of another realm than the test's, or by ours. */
const unreadable = /unable to authenticate|No encryption key/;

describe('seal', () => {
  it('can be opened only in its own context', () => {
    const sealed = keyring.seal('sk_live_secret é', 'row 1');
    expect(keyring.open(sealed, 'row 1')).toBe('sk_live_secret é');
    expect(() => keyring.open(sealed, 'row 2')).toThrow(unreadable);
    expect(() => new Keyring(newKeyringData()).open(sealed, 'row 1')).toThrow(unreadable);
  });

  it('reveals nothing, and never returns the same twice', () => {
    const [one, two] = [keyring.seal('secret', 'row'), keyring.seal('secret', 'row')];
    expect(one.includes('secret')).toBe(false);
    expect(one.equals(two)).toBe(false);
  });

  it('rejects every changed byte', () => {
    const sealed = keyring.seal('secret', 'row');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => keyring.open(changed, 'row')).toThrow(unreadable);
    }
  });

  it('opens what was sealed before the secret was rotated', () => {
    expect(rotated(data).open(keyring.seal('old', 'row'), 'row')).toBe('old');
    expect(() => keyring.open(rotated(data).seal('new', 'row'), 'row')).toThrow(/version 2/);
  });
});

describe('hash', () => {
  it('is found after a rotation, newest first', () => {
    const newer = rotated(data);
    expect(newer.hashes('key')[1]).toEqual(keyring.hash('key'));
    expect(newer.hashes('key')[0]).toEqual(newer.hash('key'));
    expect(newer.hash('key')).not.toEqual(keyring.hash('key'));
  });

  it('depends on the pepper and on the secret', () => {
    expect(keyring.hash('key')).toHaveLength(32);
    expect(keyring.hash('key')).not.toEqual(keyring.hash('kez'));
    expect(new Keyring(newKeyringData()).hash('key')).not.toEqual(keyring.hash('key'));
  });
});

it('derives a different key for each purpose', () => {
  const cursors = keyring.derive('cursors');
  expect(cursors.equals(new Keyring(data).derive('cursors'))).toBe(true);
  expect(cursors.equals(keyring.derive('cookies'))).toBe(false);
});

it('is recognized after a rotation', () => {
  expect(rotated(data).fingerprint).toBe(keyring.fingerprint);
  expect(new Keyring(newKeyringData()).fingerprint).not.toBe(keyring.fingerprint);
});

it('rejects an empty keyring', () => {
  expect(() => new Keyring({ peppers: [], encryption: [] })).toThrow('empty');
});
