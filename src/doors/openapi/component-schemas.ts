import { type JsonSchema, schemaOf, type Shape } from '#operations';

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
}
