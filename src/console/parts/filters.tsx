import type { ComponentChildren } from 'preact';
import type { Operation } from '#operations';
import { useVisit } from '../frame/visit.js';
import { AroundEntries, type Choices, Entry } from './entry.js';

interface FiltersProps {
  of: Operation;
  names: readonly string[];
  /** What can be chosen, where the schema does not say it. */
  choices?: Readonly<Record<string, Choices>>;
  labels?: Readonly<Record<string, string>>;
  /** What is shown before anything is chosen. */
  values?: Readonly<Record<string, string>>;
  /** What else the address keeps. */
  keep?: Readonly<Record<string, string>>;
}

/** What a list is narrowed by: a form that only reads, so that its address can be shared. */
export const Filters = (props: FiltersProps) => {
  const { path, query } = useVisit();
  const isNarrowed = props.names.some((name) => query[name]);
  return (
    <details class="narrowing" open={isNarrowed}>
      <summary>Filters</summary>
      <Chooser {...props} isFilter name="Filters" label="Show">
        {isNarrowed && <a href={path}>Clear</a>}
      </Chooser>
    </details>
  );
};

/** What has to be chosen before the rest of a page can be shown. */
export const Picked = ({ label, ...props }: FiltersProps & { label: string }) => (
  <Chooser {...props} name={label} label={label} />
);

interface ChooserProps extends FiltersProps {
  name: string;
  label: string;
  isFilter?: boolean;
  children?: ComponentChildren;
}

const Chooser = ({
  of,
  names,
  choices = {},
  labels = {},
  values = {},
  keep = {},
  name: title,
  label,
  isFilter,
  children,
}: ChooserProps) => {
  const { path, query, problems } = useVisit();
  return (
    <form class="filters" method="get" action={path} aria-label={title}>
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <AroundEntries.Provider value={{ operation: of, prefix: 'filter-', problems, isFilter }}>
        {names.map((name) => (
          <Entry
            key={name}
            name={name}
            value={query[name] ?? values[name]}
            choices={choices[name]}
            label={labels[name]}
          />
        ))}
      </AroundEntries.Provider>
      <p class="buttons">
        <button>{label}</button>
        {children}
      </p>
    </form>
  );
};
