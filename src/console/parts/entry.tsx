import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { DateTime } from 'luxon';
import { fieldsOf, type JsonSchema, type Operation } from '#operations';
import { plainSchema } from '../frame/typed-input.js';
import { type Refused, useVisit } from '../frame/visit.js';
import { humanized } from './words.js';

/** The form that contains an entry. */
interface Around {
  readonly operation: Pick<Operation, 'name' | 'input'>;
  /** Tells entries of the same name in several forms apart. */
  readonly prefix: string;
  /** The form's values, where it was refused. */
  readonly refused?: Refused;
  /** What is wrong with filters, which keep their values in the address. */
  readonly problems?: Refused['problems'];
  /** Filters are never required. */
  readonly isFilter?: boolean;
}
export const AroundEntries = createContext<Around | undefined>(undefined);

export type Choices = readonly (readonly [value: string, label: string])[];

interface EntryProps {
  name: string;
  label?: string;
  /** What has the field, where that is an object in the operation's input. */
  of?: Operation['input'];
  /** What it holds before anybody types. */
  value?: string | number | boolean | null;
  /** What can be chosen; without it, what the operation's schema says. */
  choices?: Choices;
  hint?: string;
  /** Chosen from several, each with its own box. */
  isMany?: boolean;
  /** Where the operation's own schema does not say so. */
  isRequired?: boolean;
  /** Shown until something is chosen, where nothing is chosen beforehand. */
  placeholder?: string;
}

/** A labelled field of an operation's input: its kind and limits follow from the schema, and its error is below it. */
export const Entry = (props: EntryProps) => {
  const { name, label = humanized(name), of, value, choices, hint, isMany, isRequired, placeholder } = props;
  const around = useContext(AroundEntries) as Around;
  const { timezone } = useVisit().membership;
  const { operation, prefix, refused, problems = refused?.problems, isFilter } = around;
  const field = fieldsOf(of ?? operation.input).find((one) => one.name === name);
  const schema = plainSchema(field?.schema ?? { type: 'string' });
  const typed = refused ? refused.typed[name] : value === null || value === undefined ? undefined : String(value);
  const problem = problems?.[name];
  const id = `${prefix}${name}`;
  const told = {
    id,
    name,
    'aria-invalid': problem ? ('true' as const) : undefined,
    'aria-describedby': problem ? `${id}-problem` : hint ? `${id}-hint` : undefined,
    autofocus: Boolean(problem),
    required: !isFilter && (isRequired ?? (field !== undefined && field.schema.required !== false)),
  };
  const offered = choices ?? choicesOf(schema);
  const below = (
    <>
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint && (
        <p class="soft" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
  if (isMany) return <Boxes {...{ id, name, label, below, chosen: typed?.split(',') ?? [], offered: offered ?? [] }} />;
  return (
    <div class="entry">
      <label class="field" for={id}>
        {label}
      </label>
      {offered ? (
        <select {...told}>
          {(isFilter || placeholder || !told.required) && (
            <option value="">{isFilter ? 'Any' : (placeholder ?? '–')}</option>
          )}
          {offered.map(([one, shown]) => (
            <option key={one} value={one} selected={one === typed}>
              {shown}
            </option>
          ))}
        </select>
      ) : (
        <input {...told} {...kindOf(schema)} value={localTime(schema, typed, timezone)} />
      )}
      {below}
    </div>
  );
};

interface BoxesProps {
  id: string;
  name: string;
  label: string;
  offered: Choices;
  chosen: readonly string[];
  below: preact.ComponentChildren;
}

const Boxes = ({ id, name, label, offered, chosen, below }: BoxesProps) => (
  <fieldset class="boxes" id={id}>
    <legend>{label}</legend>
    {offered.map(([one, shown]) => (
      <label key={one} class="choice">
        <input type="checkbox" name={name} value={one} checked={chosen.includes(one)} />
        <span>{shown}</span>
      </label>
    ))}
    {below}
  </fieldset>
);

function choicesOf({ enum: values, type }: JsonSchema): Choices | undefined {
  if (Array.isArray(values)) return (values as string[]).map((one) => [one, humanized(one)]);
  return type === 'boolean' ? yesAndNo : undefined;
}

const yesAndNo: Choices = [
  ['true', 'Yes'],
  ['false', 'No'],
];

function kindOf({ type, format, minimum, maximum, minLength, maxLength }: JsonSchema): Record<string, unknown> {
  if (format === 'date-time') return { type: 'datetime-local' };
  if (format === 'date') return { type: 'date' };
  if (format === 'email') return { type: 'email', maxlength: maxLength };
  if (type === 'integer') return { type: 'number', min: minimum, max: maximum };
  if (type !== 'string') return { type: 'text' };
  return { type: 'text', minlength: Number(minLength) > 1 ? minLength : undefined, maxlength: maxLength };
}

/** An instant as such a field shows it: on the organization's clock. */
function localTime({ format }: JsonSchema, typed: string | undefined, zone: string): string | undefined {
  if (format !== 'date-time' || !typed) return typed;
  const at = DateTime.fromISO(typed, { zone });
  return at.isValid ? at.toFormat("yyyy-MM-dd'T'HH:mm") : undefined;
}
