import { ServiceError } from '#errors';
import { createSecretKey } from 'node:crypto';
import { Cursors, newId, idColumn, uuidIn } from '#persistence';

const cursors = new Cursors(createSecretKey(Buffer.alloc(32, 1)));

describe('Cursors', () => {
  it('read what they wrote for the same list', () => {
    for (const position of [
      [null, 'id'],
      ['2030-05-05 12:00:00+00', 'id'],
      ['infinity', 'é'],
    ] as const) {
      expect(cursors.read(cursors.write([...position], 'list'), 'list')).toEqual(position);
    }
  });

  it('reject every change, another list and another key', () => {
    const cursor = cursors.write([null, 'id'], 'list');
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      expect(() => cursors.read(changed, 'list')).toThrow(ServiceError);
    }
    for (const other of ['', '.', 'x', `${cursor}x`, `${cursor}.x`, ` ${cursor}`]) {
      expect(() => cursors.read(other, 'list')).toThrow(ServiceError);
    }
    expect(() => cursors.read(cursor, 'another list')).toThrow(ServiceError);
    expect(() => new Cursors(createSecretKey(Buffer.alloc(32, 2))).read(cursor, 'list')).toThrow(ServiceError);
  });

  it('name the field in their error', () => {
    expect(() => cursors.read('x', 'list')).toThrow(
      expect.objectContaining({ status: 400, details: { issues: [expect.objectContaining({ path: ['cursor'] })] } }),
    );
  });
});

describe('ids', () => {
  it('are UUIDv7 with a prefix, and go through a column unchanged', () => {
    const id = newId('task');
    expect(id).toMatch(/^task_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    const { to, from } = idColumn('task');
    expect(to(id)).toBe(uuidIn(id));
    expect([from(to(id)), from(to([id, id])), from(to(null)), from(to([]))]).toEqual([id, [id, id], null, []]);
  });
});
