import pg from 'pg';
import { isoDate, isoTime, safeInteger, types } from '../../../libs/persistence/iso-time.js';

describe('isoTime', () => {
  it.each([
    ['2026-11-21 03:25:00.123+00', '2026-11-21T03:25:00.123Z'],
    ['2026-11-21 03:25:00+00', '2026-11-21T03:25:00.000Z'],
    ['2026-11-21 03:25:00.1+00', '2026-11-21T03:25:00.100Z'],
    ['2026-11-21 03:25:00.12+00', '2026-11-21T03:25:00.120Z'],
    ['2026-11-21 03:25:59.999999+00', '2026-11-21T03:25:59.999Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59.5+00', '9999-12-31T23:59:59.500Z'],
  ])('writes %s as %s', (text, iso) => {
    expect(isoTime(text)).toBe(iso);
    expect(new Date(iso).toISOString()).toBe(iso);
  });

  it.each([
    ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
    ['12026-11-21 03:25:00.5+00', '+012026-11-21T03:25:00.500Z'],
    ['0001-12-31 00:00:00+00 BC', '0000-12-31T00:00:00.000Z'],
    ['0044-03-15 12:00:00.25+00 BC', '-000043-03-15T12:00:00.250Z'],
    ['4713-01-01 00:00:00+00 BC', '-004712-01-01T00:00:00.000Z'],
  ])('writes the far year of %s as ECMAScript does, %s', (text, iso) => {
    expect(isoTime(text)).toBe(iso);
    expect(new Date(iso).toISOString()).toBe(iso);
  });

  it.each(['infinity', '-infinity'])('does not change %s', (text) => expect(isoTime(text)).toBe(text));

  it.each(['2026-11-21 03:25:00+01', '2026-11-21 03:25:00-00:30', '2026-11-21 03:25:00', '12026-11-21 03:25:00+05:30'])(
    'does not treat %s as UTC',
    (text) => expect(() => isoTime(text)).toThrow(RangeError),
  );
});

describe('isoDate', () => {
  it.each([
    ['2026-11-21', '2026-11-21'],
    ['12026-11-21', '+012026-11-21'],
    ['5874897-12-31', '+5874897-12-31'],
    ['0044-03-15 BC', '-000043-03-15'],
    ['0001-03-15 BC', '0000-03-15'],
    ['infinity', 'infinity'],
    ['-infinity', '-infinity'],
  ])('writes %s as %s', (text, iso) => expect(isoDate(text)).toBe(iso));
});

describe('safeInteger', () => {
  it.each([
    ['0', 0],
    ['-42', -42],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', '9007199254740992'],
    ['-9223372036854775808', '-9223372036854775808'],
  ])('reads %s as %p', (text, value) => expect(safeInteger(text)).toBe(value));
});

describe('types', () => {
  const { TIMESTAMPTZ, DATE, INT8, NUMERIC, BOOL } = pg.types.builtins;
  const read = (type: number, text: string): unknown =>
    (types.getTypeParser(type, 'text') as (t: string) => unknown)(text);

  it('gives each type its parser', () => {
    expect(read(TIMESTAMPTZ, '2026-11-21 03:25:00+00')).toBe('2026-11-21T03:25:00.000Z');
    expect(read(DATE, '2026-11-21')).toBe('2026-11-21');
    expect(read(INT8, '12')).toBe(12);
  });

  it('leaves numeric as text and the other types to pg', () => {
    expect(read(NUMERIC, '10.50')).toBe('10.50');
    expect(read(BOOL, 't')).toBe(true);
    expect(types.getTypeParser(INT8, 'binary')).toBe(pg.types.getTypeParser(INT8, 'binary'));
  });

  it('reads arrays as single values, nested and null ones too', () => {
    expect(read(1185, '{"2026-11-21 03:25:00+00",NULL}')).toEqual(['2026-11-21T03:25:00.000Z', null]);
    expect(read(1182, '{{2026-11-21},{2026-11-22}}')).toEqual([['2026-11-21'], ['2026-11-22']]);
    expect(read(1016, '{1,9007199254740992}')).toEqual([1, '9007199254740992']);
    expect(read(1231, '{10.50,NULL}')).toEqual(['10.50', null]);
  });
});
