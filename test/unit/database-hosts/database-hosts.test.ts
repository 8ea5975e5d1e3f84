import pg from 'pg';
import { databaseHosts } from '#database-hosts';

const serverOf = (url: string) => {
  const { connectionString, Client } = databaseHosts(url);
  const { host, port, user, database } = new Client({ connectionString });
  return { host, port, user, database, choosesServer: Client !== pg.Client };
};

it.each([
  ['postgresql://me:secret@db.example:5433/app', { host: 'db.example', port: 5433, choosesServer: false }],
  ['postgresql://me@localhost/app?host=/run/a', { host: '/run/a', port: 5432, choosesServer: false }],
  ['postgresql://me@[::1]:5433/app', { host: '::1', port: 5433, choosesServer: false }],
  ['postgresql://me@a:5433,b/app?target_session_attrs=read-write', { host: 'a', port: 5433, choosesServer: true }],
  ['postgresql://me@a,b:5434/app?application_name=x', { host: 'a', port: 5432, choosesServer: true }],
  ['postgresql://me@[::1]:5433,[::2]/app', { host: '::1', port: 5433, choosesServer: true }],
  ['postgresql://me@/app?host=/run/a,/run/b&port=5433', { host: '/run/a', port: 5433, choosesServer: true }],
])('reads %s', (url, expected) => {
  expect(serverOf(url)).toEqual({ user: 'me', database: 'app', ...expected });
});

it('keeps the password and other parameters of several servers', () => {
  const { connectionString } = databaseHosts('postgresql://me:p%40ss@a,b/app?sslmode=disable');
  const { password, ssl } = new pg.Client({ connectionString }) as unknown as { password: string; ssl: boolean };
  expect([password, ssl]).toEqual(['p@ss', false]);
});

it('rejects read-only servers', () => {
  expect(() => databaseHosts('postgresql://a,b/app?target_session_attrs=prefer-standby')).toThrow(
    'target_session_attrs must be read-write',
  );
});

it('shares what is known about the servers of one address', () => {
  expect(databaseHosts('postgresql://a,b/app')).toBe(databaseHosts('postgresql://a,b/app'));
});
