import { titleOf } from './feature-names.js';
import { Fields, Type } from './fields.js';
import { fieldsOf, type Feature, namesFrom, type Schema, type Shown } from './reading.js';

interface Given {
  feature: Feature;
  schemas: Record<string, Schema>;
  /** Where each list of the service is, by the name of its operation. */
  lists: ReadonlyMap<string, string>;
}

/** Every operation of a feature, and the records that they take and return. */
export const FeaturePage = ({ feature: { name, operations }, schemas, lists }: Given) => (
  <>
    <h1>{titleOf(name)}</h1>
    <ul class="contents">
      {operations.map((one) => (
        <li>
          <a href={`#${one.name}`}>{one.title}</a> <small>{one.name}</small>
        </li>
      ))}
    </ul>
    {operations.map((one) => (
      <Operation {...one} lists={lists} />
    ))}
    <h2>Records</h2>
    {namesFrom(
      operations.flatMap(({ fields, returns }) => [fields, returns]),
      schemas,
    ).map((record) => (
      <section id={record}>
        <h3>{record}</h3>
        <Record schema={schemas[record] as Schema} />
      </section>
    ))}
  </>
);

const Operation = ({ lists, ...one }: Shown & { lists: Given['lists'] }) => (
  <section class="operation" id={one.name}>
    <h2>
      <a href={`#${one.name}`}>{one.title}</a>
    </h2>
    <p class="route">
      <b>{one.method}</b> <code>{one.path}</code>
    </p>
    <p>{one.description}</p>
    <p class="soft">
      <code>{one.name}</code> · {one.effect}
      {one.scope && (
        <>
          {' '}
          · scope <code>{one.scope}</code>
        </>
      )}
    </p>
    {one.fields.length > 0 && <Fields fields={one.fields} lists={lists} />}
    {one.example !== undefined && <pre>{JSON.stringify(one.example, null, 2)}</pre>}
    {one.returns && (
      <p>
        Returns {one.status}: <Type schema={one.returns} />
      </p>
    )}
    {one.errors.length > 0 && (
      <p>
        <a href="/docs/guides/errors">Errors</a> of its own:{' '}
        {one.errors.map(({ status, code }) => (
          <>
            <a href={`/docs/guides/errors#${code}`}>{code}</a> <small>{status}</small>{' '}
          </>
        ))}
      </p>
    )}
  </section>
);

const Record = ({ schema }: { schema: Schema }) =>
  schema.properties ? <Fields fields={fieldsOf(schema)} /> : <Type schema={schema} />;
