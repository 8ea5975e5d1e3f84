import { Metadata, Text, withoutSecrets } from '#operations';

class Account {
  @Text({ description: 'Name.', max: 100 }) name: string;
  @Text({ description: 'Password.', secret: 'value', max: 100 }) password: string;
  @Metadata({ description: 'Settings.', secret: 'addresses' }) settings: Record<string, string>;
}

const masked = (input: object) => withoutSecrets(Account, input, () => undefined);

it('a secret value is masked, and one that is removed is not', () => {
  expect(masked({ name: 'Aurora', password: 'swordfish' })).toEqual({ name: 'Aurora', password: '••••••' });
  expect(masked({ password: null })).toEqual({ password: null });
});

it.each([
  ['https://calendar.example.com/stays.ics?key=1', 'https://calendar.example.com/••••••'],
  ['https://calendar.example.com', 'https://calendar.example.com'],
  ['mqtt://guest:swordfish@broker.example.com', 'mqtt://••••••@broker.example.com'],
  ['mqtt://guest:swordfish@broker.example.com:1883/rooms', 'mqtt://••••••@broker.example.com:1883/••••••'],
  ['property_1', 'property_1'],
])('of an address, only the host is shown: %s', (url, shown) => {
  expect(masked({ settings: { url } })).toEqual({ settings: { url: shown } });
});
