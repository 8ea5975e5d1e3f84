import type { Api } from '../../support/api.js';
import { expectEnvelope, issuePaths, refusals } from '../../support/envelope.js';
import { absentId, keyWith, propertyOf, taskOf } from '../../support/factories.js';
import { sendRaw } from '../../support/raw.js';
import { type Service, startApp } from '../../support/start-app.js';

/** What no request may contain: always 400 with the envelope, never 500, and nothing is created. */
let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  api = (await keyWith(service.api)).api;
});
afterAll(() => service.close());

const nested = (levels: number): string => `{"name":"x","metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

const bytes = (method: string, path: string, body: Buffer, headers: Record<string, string> = {}) => {
  const all = {
    Host: 'localhost',
    Authorization: `Bearer ${api.key}`,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    Connection: 'close',
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from([`${method} /api/v1${path} HTTP/1.1`, ...head, '', ''].join('\r\n')), body]);
};

const raw = async (...request: Parameters<typeof bytes>) => {
  const { status, headers, body } = await sendRaw(service.url, bytes(...request));
  return { status, headers: new Headers([...headers]), body: JSON.parse(body) };
};

describe('a body that is', () => {
  it.each([
    ['not JSON', '{"name":'],
    ['two values', '{"name":"x"}{"name":"y"}'],
    ['blank', ' '],
    ['NaN', '{"name":NaN}'],
    ['a list', '[{"name":"x"}]'],
    ['text', '"name"'],
    ['a number', '1'],
    ['null', 'null'],
    ['deeper than 64 levels', nested(64)],
    ['a thousand levels deep', nested(1_000)],
    ['a hundred thousand lists', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['of more than 20000 values', `{"name":"x","metadata":[${'1,'.repeat(20_000)}1]}`],
    ['with NUL in text', '{"name":"a\\u0000b"}'],
    ['with NUL in a field name', '{"name":"x","a\\u0000":"b"}'],
    ['with nested NUL', '{"name":"x","metadata":{"k":"\\u0000"}}'],
    ['with a lone surrogate in text', '{"name":"\\ud800"}'],
    ['with a lone surrogate in a field name', '{"name":"x","metadata":{"\\udc00":"b"}}'],
    ['with __proto__', '{"name":"x","__proto__":{"admin":true}}'],
    ['with nested __proto__', '{"name":"x","metadata":{"__proto__":"b"}}'],
    ['with constructor', '{"name":"x","constructor":{"prototype":{"admin":true}}}'],
    ['with nested constructor', '{"name":"x","checklist":[{"title":"a","constructor":"b"}]}'],
    ['with hasOwnProperty', '{"name":"x","hasOwnProperty":1}'],
    ['with toString', '{"name":"x","toString":1}'],
    ['with then', '{"name":"x","then":1}'],
    ['with a path parameter of another operation', '{"name":"x","taskId":"task_1"}'],
  ])('%s is 400', async (_, body) => {
    expectEnvelope(await api.post('/tasks', body), refusals.invalid);
  });

  it('64 levels deep is read, and rejected only for its content', async () => {
    const reply = await api.post('/tasks', nested(63));
    expect(issuePaths(reply)).toEqual(['metadata']);
  });

  it('sent where none is accepted is 400 with a message', async () => {
    const reply = await api.send('DELETE', `/roles/${absentId('role')}`, { reason: 'x' });
    expectEnvelope(reply, refusals.invalid);
    expect(reply.body.error.details.issues).toEqual([
      { path: ['reason'], message: 'This request does not accept a body. Send the fields in the query.' },
    ]);
  });

  it('missing is reported as a missing field', async () => {
    expect(issuePaths(await api.post('/tasks'))).toEqual(['name']);
  });

  it('not UTF-8 is 400', async () => {
    const body = Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
    expectEnvelope(await raw('POST', '/tasks', body), refusals.invalid);
  });

  it('cut off by the end of the connection creates nothing', async () => {
    const before = (await api.get('/tasks?limit=100')).body.data.length;
    const reply = await sendRaw(
      service.url,
      bytes('POST', '/tasks', Buffer.from('{"name":"x"}'), { 'Transfer-Encoding': 'chunked', 'Content-Length': '' }),
    );
    expect(reply.status).toBe(400);
    expect((await api.get('/tasks?limit=100')).body.data).toHaveLength(before);
  });

  it.each([1_048_577, 3_000_000])('%i bytes long is 400', async (size) => {
    const body = Buffer.from(`{"name":"${'x'.repeat(size - 11)}"}`);
    expectEnvelope(await raw('POST', '/tasks', body), refusals.invalid);
    expectEnvelope(await api.post('/tasks', body.toString()), refusals.invalid);
  });

  it('1 MiB long is read', async () => {
    const body = `{"name":"${'x'.repeat(1_048_576 - 11)}"}`;
    const reply = await api.post('/tasks', body);
    expect(issuePaths(reply)).toEqual(['name']);
  });

  it('too long in chunks is 400', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const { status, body } = await sendRaw(service.url, head + chunk.repeat(17));
    expect([status, JSON.parse(body).error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a content type of', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/vnd.api+json',
    '',
  ])('"%s" is 400', async (type) => {
    expectEnvelope(
      await raw('POST', '/tasks', Buffer.from('{"name":"x"}'), { 'Content-Type': type }),
      refusals.invalid,
    );
  });

  it.each(['application/json', 'application/json;charset=utf-8', 'Application/JSON; charset="UTF-8"'])(
    '"%s" is accepted',
    async (type) => {
      expect((await raw('POST', '/tasks', Buffer.from('{"name":"x"}'), { 'Content-Type': type })).status).toBe(201);
    },
  );

  it('JSON in another charset is 400, and the error says which one to send', async () => {
    const type = { 'Content-Type': 'application/json; charset=iso-8859-1' };
    const { body } = await raw('POST', '/tasks', Buffer.from('{"name":"x"}'), type);
    expect(JSON.stringify(body)).toContain('in UTF-8');
  });

  it('JSON that is compressed is 400', async () => {
    const reply = await raw('POST', '/tasks', Buffer.from('{"name":"x"}'), { 'Content-Encoding': 'gzip' });
    expectEnvelope(reply, refusals.invalid);
  });
});

describe('a query string', () => {
  it.each([
    ['with a parameter twice', 'status=pending&status=pending'],
    ['with an invalid escape', 'status=%ZZ'],
    ['with a truncated escape', 'status=%e2%82'],
    ['with a surrogate', 'status=%ed%a0%80'],
    ['with NUL', 'cursor=%00'],
    ['with __proto__', '__proto__=1'],
    ['with constructor', 'constructor=1'],
    ['with toString', 'toString=1'],
    ['with an unknown parameter', 'colour=red'],
    ['with brackets', 'status[]=pending'],
    ['with an empty limit', 'limit='],
    ['with a limit of 0', 'limit=0'],
    ['with a limit of 101', 'limit=101'],
    ['with a limit that is not a whole number', 'limit=1.5'],
    ['with a limit in letters', 'limit=ten'],
    ['with a huge limit', 'limit=99999999999999999999'],
    ['with a time without offset', 'dueFrom=2026-03-01T10:00:00'],
    ['with a day that does not exist', 'dueFrom=2026-02-30T10:00:00Z'],
  ])('%s is 400', async (_, query) => {
    expectEnvelope(await api.get(`/tasks?${query}`), refusals.invalid);
  });

  it('names the repeated parameter', async () => {
    expect(issuePaths(await api.get('/tasks?limit=1&limit=2'))).toEqual(['limit']);
  });

  it('on a write is 400', async () => {
    expect(issuePaths(await api.post('/tasks?name=x', { name: 'y' }))).toEqual(['name']);
  });
});

describe('a path', () => {
  it.each(['%ZZ', '%', '%e2%82', '%ed%a0%80', '%00', 'task_%00', '%ZZ/complete'])('with %s is 400', async (part) => {
    expectEnvelope(await api.get(`/tasks/${part}`), refusals.invalid);
  });

  it.each(['..%2f..%2fetc', 'task_', 'task_1', "task_1'--", 'TASK_01900000000070008000000000000000', '%20', '☃'])(
    'with %s for an id is 404',
    async (part) => {
      expectEnvelope(await api.get(`/tasks/${encodeURI(part).replaceAll('%25', '%')}`), refusals.absent);
    },
  );
});

describe('times at the limits of what is stored', () => {
  const edges = ['0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00+00:01'];

  it.each(edges)('%s in a body is 400', async (time) => {
    expect(issuePaths(await api.post('/tasks', { name: 'x', dueAt: time }))).toEqual(['dueAt']);
  });

  it.each(edges)('%s in a query is 400', async (time) => {
    expect(issuePaths(await api.get(`/tasks?dueFrom=${encodeURIComponent(time)}`))).toEqual(['dueFrom']);
  });

  it.each(['dueFrom', 'dueBefore', 'updatedSince'])('an offset of 23:59 in %s is read', async (name) => {
    expect((await api.get(`/tasks?${name}=2026-03-01T10:00:00%2B23:59`)).status).toBe(200);
  });

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])('%s is kept', async (dueAt) => {
    const { status, body } = await api.post('/tasks', { name: 'x', dueAt });
    expect([status, new Date(body.data.dueAt).getTime()]).toEqual([201, new Date(dueAt).getTime()]);
  });
});

describe('days at the limits of the calendar', () => {
  it.each(['0999-12-31', '9001-01-01', '9999-12-31'])('%s is 400, in a body and in a query', async (day) => {
    const stay = { propertyId: await propertyOf(api), checkInDate: day, checkOutDate: day };
    expect(issuePaths(await api.post('/reservations', stay))).toEqual(['checkInDate', 'checkOutDate']);
    expect(issuePaths(await api.get(`/reservations?arrivingOn=${day}`))).toEqual(['arrivingOn']);
  });

  it.each([
    ['1000-01-01', '1000-01-02'],
    ['9000-12-30', '9000-12-31'],
  ])('a stay from %s to %s is kept', async (checkInDate, checkOutDate) => {
    const propertyId = await propertyOf(api);
    const { status, body } = await api.post('/reservations', { propertyId, checkInDate, checkOutDate });
    expect([status, body.data?.checkInDate, body.data?.checkOutDate]).toEqual([201, checkInDate, checkOutDate]);
  });
});

describe('metadata', () => {
  it.each(['constructor', 'hasOwnProperty', 'toString', 'then'])('keeps a key called %s', async (name) => {
    const { status, body } = await api.post('/tasks', { name: 'x', metadata: { [name]: 'kept' } });
    expect([status, body.data?.metadata]).toEqual([201, { [name]: 'kept' }]);
  });

  it('keeps every valid character', async () => {
    const metadata = { 'ключ "k"': "Robert'); drop table tasks;-- \u0001 😀 \\ ${x} %s" };
    const id = await taskOf(api, { metadata });
    expect((await api.get(`/tasks/${id}`)).body.data.metadata).toEqual(metadata);
  });
});

describe('the header', () => {
  it.each(['3', 'W/"3"', '"x"', '"1", "2"', '""'])('If-Match: %s is 400', async (value) => {
    const id = await taskOf(api);
    expect(issuePaths(await api.patch(`/tasks/${id}`, { name: 'y' }, { 'if-match': value }))).toEqual(['If-Match']);
  });
});
