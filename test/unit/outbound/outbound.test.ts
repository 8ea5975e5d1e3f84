import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { loopTime } from '#loop-time';
import { Outbound } from '#outbound';

const resolving = (...answers: string[][]) => {
  const asked: string[] = [];
  const resolve = (host: string): Promise<string[]> => {
    asked.push(host);
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] as string[]);
  };
  return { asked, resolve };
};

describe('where an outbound request may go', () => {
  const outbound = new Outbound([], resolving(['93.184.215.14']).resolve);

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://192.0.0.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://198.51.100.7/',
    'https://203.0.113.9/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:1::1]/',
    'https://[2001:db8::1]/',
    'https://[3fff::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[ff02::1]/',
    'https://[5f00::1]/',
    'https://[100::1]/',
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'https://user:secret@example.com/',
    'not an address',
  ])('rejects %s', async (url) => {
    await expect(outbound.destination(url)).rejects.toMatchObject({ failure: 'refused' });
    await expect(outbound.fetch(url)).rejects.toMatchObject({ failure: 'refused' });
  });

  it.each(['https://localhost/', 'https://LOCALHOST.:8443/', 'https://feeds.localhost/'])(
    'rejects %s before any request, because such names mean this machine',
    (url) => {
      expect(() => new Outbound().check(url)).toThrow('not on the public internet');
      expect(() => new Outbound(['127.0.0.0/8']).check(url)).not.toThrow();
    },
  );

  it('accepts names that only contain localhost', () => {
    expect(() => new Outbound().check('https://mylocalhost/')).not.toThrow();
    expect(() => new Outbound().check('https://localhost.example.com/')).not.toThrow();
  });

  it.each(['127.0.0.1', '::1', '10.1.2.3', '169.254.169.254', '::ffff:10.0.0.1'])(
    'rejects a name that resolves to %s, with or without a public address',
    async (address) => {
      for (const addresses of [[address], ['93.184.215.14', address]]) {
        const resolver = resolving(addresses);
        await expect(new Outbound([], resolver.resolve).destination('https://inside.example/')).rejects.toMatchObject({
          failure: 'refused',
        });
      }
    },
  );

  it('accepts public addresses', async () => {
    expect(await outbound.destination('https://example.com/')).toBe('93.184.215.14');
    expect(await outbound.destination('https://1.1.1.1/')).toBe('1.1.1.1');
    expect(await outbound.destination('https://[2606:4700::1111]/')).toBe('2606:4700::1111');
  });

  it('reports a name without an address as unreachable', async () => {
    const none = new Outbound([], () => Promise.reject(new Error('ENOTFOUND')));
    await expect(none.destination('https://nowhere.example/')).rejects.toMatchObject({ failure: 'unreachable' });
    const empty = new Outbound([], () => Promise.resolve([]));
    await expect(empty.destination('https://nowhere.example/')).rejects.toMatchObject({ failure: 'unreachable' });
  });

  it('accepts what an operator allowed: a host, an address, a range, and there over http too', async () => {
    const resolver = resolving(['127.0.0.1']).resolve;
    for (const allow of ['inside.example', '127.0.0.1', '127.0.0.0/8']) {
      expect(await new Outbound([allow], resolver).destination('http://inside.example/')).toBe('127.0.0.1');
    }
    await expect(
      new Outbound(['other.example', '10.0.0.0/8', '::1/128'], resolver).destination('https://inside.example/'),
    ).rejects.toMatchObject({ failure: 'refused' });
    await expect(new Outbound(['inside.example'], resolver).destination('ftp://inside.example/')).rejects.toMatchObject(
      {
        failure: 'refused',
      },
    );
    expect(() => new Outbound(['not a host'])).toThrow('OUTBOUND_ALLOW');
  });
});

describe('an outbound request', () => {
  let server: Server;
  let port: number;
  const seen: { url?: string; host?: string; method?: string; body: string }[] = [];

  const plain = createPlainServer();
  beforeAll(async () => {
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        seen.push({ url: request.url, host: request.headers.host, method: request.method, body });
        if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end();
        else if (request.url === '/large') response.end('x'.repeat(100_000));
        else if (request.url === '/reset') response.destroy();
        else if (request.url !== '/silent') response.writeHead(201, { 'X-Seen': 'yes' }).end('heard');
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    plain.close();
  });

  it('connects to the address that was checked, even if the name now resolves elsewhere', async () => {
    const resolver = resolving(['127.0.0.1'], ['203.0.113.1']);
    const outbound = new Outbound(['127.0.0.0/8'], resolver.resolve);
    const answer = await outbound.fetch(`http://rebinding.example:${port}/a?b=1`, { method: 'POST', body: 'hello' });
    expect(answer).toMatchObject({ status: 201, headers: { 'x-seen': 'yes' } });
    expect(answer.body.toString()).toBe('heard');
    expect(resolver.asked).toEqual(['rebinding.example']);
    expect(seen.at(-1)).toEqual({ url: '/a?b=1', host: `rebinding.example:${port}`, method: 'POST', body: 'hello' });
  });

  it('is read for the organization that made it', async () => {
    loopTime.enter('org_1');
    const answered = new Outbound(['127.0.0.1']).fetch(`http://127.0.0.1:${port}/large`, { maxBytes: 100_000 });
    loopTime.enter('org_2');
    await answered;
    expect(loopTime.owner).toBe('org_1');
  });

  it('follows no redirect, reads no more than requested, and distinguishes failures', async () => {
    const outbound = new Outbound(['127.0.0.1']);
    const url = `http://127.0.0.1:${port}`;
    const count = seen.length;
    expect(await outbound.fetch(`${url}/redirect`)).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
    expect(seen).toHaveLength(count + 1);
    await expect(outbound.fetch(`${url}/large`)).rejects.toMatchObject({ failure: 'too-large' });
    expect((await outbound.fetch(`${url}/large`, { maxBytes: 100_000 })).body).toHaveLength(100_000);
    await expect(outbound.fetch(`${url}/silent`, { timeoutMs: 50 })).rejects.toMatchObject({ failure: 'timeout' });
    await expect(outbound.fetch(`${url}/reset`)).rejects.toMatchObject({ failure: 'broken' });
    await expect(outbound.fetch('http://127.0.0.1:1/')).rejects.toMatchObject({ failure: 'unreachable' });
  });

  it('connects for another protocol too: where it is allowed, over TLS if the scheme requires it', async () => {
    const [first, hello] = [new Promise<Socket>((resolve) => plain.once('connection', resolve)), 0x16];
    const outbound = new Outbound(['127.0.0.1']);
    const { port: plainPort } = plain.address() as AddressInfo;
    const socket = await outbound.connect(`mqtt://127.0.0.1:${plainPort}`, 'mqtt');
    expect(socket.remotePort).toBe(plainPort);
    (await first).destroy();
    plain.once('connection', (accepted: Socket) =>
      accepted.once('data', (bytes: Buffer) => {
        expect(bytes[0]).toBe(hello);
        accepted.destroy();
      }),
    );
    const unreachable = { failure: 'unreachable' };
    await expect(outbound.connect(`mqtts://127.0.0.1:${plainPort}`, 'mqtt')).rejects.toMatchObject(unreachable);
    await expect(outbound.connect('mqtt://127.0.0.1:1', 'mqtt')).rejects.toMatchObject(unreachable);
    const guarded = new Outbound([], resolving(['93.184.215.14']).resolve);
    for (const url of ['mqtt://broker.example', 'mqtts://127.0.0.1', 'https://broker.example', 'mqtts://0x7f000001']) {
      const asked = url === 'mqtts://0x7f000001' ? new Outbound([], resolving(['127.0.0.1']).resolve) : guarded;
      await expect(asked.connect(url, 'mqtt')).rejects.toMatchObject({ failure: 'refused' });
    }
    expect(() => guarded.check('mqtts://broker.example', 'mqtt')).not.toThrow();
    expect(() => guarded.check('mqtts://broker.example')).toThrow('Only https');
  });
});
