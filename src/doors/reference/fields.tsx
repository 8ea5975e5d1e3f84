import type { ComponentChildren } from 'preact';
import { type Field, nameIn, type Schema } from './reading.js';

/** A table of fields. With `lists`, ids have the address of the list that has them, for "Try it". */
export const Fields = ({ fields, lists }: { fields: readonly Field[]; lists?: ReadonlyMap<string, string> }) => (
  <table>
    {fields.map(({ name, place, isRequired, description, schema }) => (
      <tr data-in={place} data-list={place && lists?.get(/from (list\w+)/.exec(description)?.[1] ?? '')}>
        <th>
          <code>{name}</code>
          {isRequired && place && <i> required</i>}
        </th>
        <td>
          <Type schema={schema} />
          {description && <p>{description}</p>}
        </td>
      </tr>
    ))}
  </table>
);

/** The type of a value, with a link to each record in it. */
export const Type = ({ schema }: { schema: Schema }) => <small>{typeOf(schema)}</small>;

function typeOf(schema: Schema): ComponentChildren {
  const { $ref, anyOf, oneOf, allOf, items, type, format, properties } = schema;
  if ($ref) return <a href={`#${nameIn($ref)}`}>{nameIn($ref)}</a>;
  const several = anyOf ?? oneOf ?? allOf;
  if (several) return several.map((one, index) => [index > 0 && ' or ', typeOf(one)]);
  if (items) return ['list of ', typeOf(items)];
  if (schema.enum) return schema.enum.join(' · ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (properties) return ['object: ', Object.keys(properties).join(', ')];
  return [format ?? (Array.isArray(type) ? type.join(' or ') : type), limits(schema)];
}

function limits({ minimum, maximum, maxLength, pattern }: Schema): string {
  if (typeof pattern === 'string') return '';
  if (typeof maxLength === 'number') return `, up to ${maxLength} characters`;
  if (typeof minimum === 'number' && typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER)
    return `, ${minimum} to ${maximum}`;
  return '';
}
