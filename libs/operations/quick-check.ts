import { getMetadataStorage, type ValidatorConstraintInterface } from 'class-validator';
import { classOf, fieldsOf, type Shape } from './schema.js';

/** Makes the instance of a class, where the raw value breaks no rule; else undefined. */
export type QuickCheck = (raw: Readonly<Record<string, unknown>>) => object | undefined;

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type Presence = (object: object, value: unknown) => boolean;

interface Field {
  name: string;
  presence: Presence[];
  checks: ValidatorConstraintInterface[];
  nested?: () => QuickCheck | undefined;
}

const known = new Map<Shape, QuickCheck | undefined>();

/**
 * Reads the rules of a class from class-validator, once, into a function that only says yes: twenty times as quick, and
 * most input is good. Whatever it does not accept goes to class-validator, which says what is wrong.
 *
 * @returns undefined where the class has a rule of another kind than `field()` makes; class-validator checks it then.
 */
export function quickCheckOf(shape: Shape): QuickCheck | undefined {
  if (!known.has(shape)) known.set(shape, compile(shape));
  return known.get(shape);
}

function compile(shape: Shape): QuickCheck | undefined {
  const rules = Map.groupBy(
    getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false),
    ({ propertyName }) => propertyName,
  );
  const schemas = new Map(fieldsOf(shape).map(({ name, schema }) => [name, schema]));
  const fields: Field[] = [];
  for (const [name, metadata] of rules) {
    const field = fieldFrom(name, metadata, classOf(schemas.get(name) ?? {}));
    if (!field) return undefined;
    fields.push(field);
  }
  return checkOf(shape, fields);
}

function fieldFrom(name: string, rules: readonly Metadata[], inner: Shape | undefined): Field | undefined {
  const field: Field = { name, presence: [], checks: [] };
  for (const { type, name: rule, constraintCls, constraints } of rules) {
    if (type === 'conditionalValidation') field.presence.push((constraints as [Presence])[0]);
    else if (type === 'nestedValidation' && inner) field.nested = () => quickCheckOf(inner);
    else if (type === 'customValidation' && rule === 'field') field.checks.push(checkerOf(constraintCls));
    else return undefined;
  }
  return field;
}

const checkerOf = (constraintClass: Metadata['constraintCls']): ValidatorConstraintInterface => {
  const [constraint] = getMetadataStorage().getTargetValidatorConstraints(constraintClass);
  if (!constraint) throw new Error('A rule of a field has no check');
  return constraint.instance;
};

function checkOf(shape: Shape, fields: readonly Field[]): QuickCheck {
  const names = new Set(fields.map(({ name }) => name));
  return (raw) => {
    for (const name in raw) if (!names.has(name)) return undefined;
    const made = new shape() as Record<string, unknown>;
    for (const { name, presence, checks, nested } of fields) {
      const value = raw[name];
      if (name in raw) made[name] = value;
      if (!presence.every((isChecked) => isChecked(raw, value))) continue;
      if (!checks.every((check) => check.validate(value))) return undefined;
      if (!nested) continue;
      const check = nested();
      const inner = check && (Array.isArray(value) ? all(value, check) : check(value as Record<string, unknown>));
      if (!inner) return undefined;
      made[name] = inner;
    }
    return made;
  };
}

function all(items: readonly unknown[], check: QuickCheck): object[] | undefined {
  const made: object[] = [];
  for (const item of items) {
    const object = check(item as Record<string, unknown>);
    if (!object) return undefined;
    made.push(object);
  }
  return made;
}
