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
  children?: ComponentChildren;
}

/** What a list is narrowed by: a form that only reads, so that its address can be shared. */
export const Filters = ({ of, names, choices = {}, labels = {}, values = {}, children }: FiltersProps) => {
  const { here, query } = useVisit();
  const [path = ''] = here.split('?');
  const isNarrowed = names.some((name) => query[name]);
  return (
    <details class="narrowing" open={isNarrowed}>
      <summary>Filters</summary>
      <form class="filters" method="get" action={path} aria-label="Filters">
        <AroundEntries.Provider value={{ operation: of, prefix: 'filter-', isFilter: true }}>
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
        {children}
        <p class="buttons">
          <button>Show</button>
          {isNarrowed && <a href={path}>Clear</a>}
        </p>
      </form>
    </details>
  );
};
