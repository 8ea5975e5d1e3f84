import { type Inclusion, isListed, type JsonSchema, schemaOf, type Shape } from '#operations';

const records: JsonSchema = { type: 'array', items: { type: 'object' } };
const recordOrNull: JsonSchema = { anyOf: [{ type: 'object' }, { type: 'null' }] };

/** The named schemas of the document: each class is described once and referred to by its name. */
export class ComponentSchemas {
  private readonly shapes = new Map<string, Shape>();
  readonly all: Record<string, JsonSchema>;

  constructor(fixed: Record<string, JsonSchema>) {
    this.all = { ...fixed };
  }

  /** @throws Error if another class has the same name, because the names are part of the interface. */
  readonly reference = (shape: Shape): JsonSchema => {
    const { name } = shape;
    const known = this.shapes.get(name);
    if (known ? known !== shape : name in this.all) throw new Error(`Two schemas are called ${name}`);
    if (!known) {
      this.shapes.set(name, shape);
      this.all[name] = schemaOf(shape, { reference: this.reference });
    }
    return { $ref: `#/components/schemas/${name}` };
  };

  /** Adds what can be shown beside the records of a view. */
  include(shape: Shape, names: readonly Inclusion[]): void {
    const { properties } = this.all[shape.name] as { properties: Record<string, JsonSchema> };
    const beside = names.map((name) => [name, isListed(name) ? records : recordOrNull] as const);
    properties.included = {
      type: 'object',
      description: 'Only with include: the records named there, as the operation that gets them returns them.',
      properties: Object.fromEntries(beside),
    };
  }
}
