import { ObjectOf, Text } from '#operations';
import { ComponentSchemas } from '../../../src/doors/openapi/component-schemas.js';

class Inner {
  @Text({ description: 'A name.', max: 9 }) name: string;
}

class Outer {
  @ObjectOf(() => Inner, { description: 'What is inside.', nullable: true }) inner: Inner | null;
}

const another = () => {
  class Inner {}
  return Inner;
};

describe('the named schemas', () => {
  it('are written once, with nested ones', () => {
    const schemas = new ComponentSchemas({});
    expect(schemas.reference(Outer)).toEqual({ $ref: '#/components/schemas/Outer' });
    expect(schemas.reference(Inner)).toEqual({ $ref: '#/components/schemas/Inner' });
    expect(Object.keys(schemas.all).sort()).toEqual(['Inner', 'Outer']);
    expect(schemas.all.Outer).toMatchObject({
      properties: { inner: { anyOf: [{ $ref: '#/components/schemas/Inner' }, { type: 'null' }] } },
    });
  });

  it('reject two classes of one name', () => {
    const schemas = new ComponentSchemas({ Meta: {} });
    schemas.reference(Inner);
    expect(() => schemas.reference(another())).toThrow('Two schemas are called Inner');
    expect(() => schemas.reference(class Meta {})).toThrow('Two schemas are called Meta');
  });
});
