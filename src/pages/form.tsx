import type { ComponentChildren } from 'preact';
import { type FormOwner, formTokenField } from './forms.service.js';

interface FormProps {
  action: string;
  owner: FormOwner;
  class?: string;
  children: ComponentChildren;
}

/** A form of ours: posted, with the hidden token that proves it. */
export const Form = ({ action, owner, class: className, children }: FormProps) => (
  <form method="post" action={action} class={className}>
    <input type="hidden" name={formTokenField} value={owner.formToken} />
    {children}
  </form>
);

interface FieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  value?: string;
  /** What a browser or password manager may fill in (HTML, autofill). */
  autocomplete?: string;
  inputmode?: 'numeric';
  hint?: string;
  required?: boolean;
  minlength?: number;
  maxlength?: number;
}

/** A labelled field, its hint read out with it. */
export const Field = ({ name, label, type = 'text', hint, required = true, ...rest }: FieldProps) => (
  <>
    <label class="field" for={name}>
      {label}
    </label>
    <input
      id={name}
      name={name}
      // Preact's types tell inputs apart by one literal each.
      type={type as 'text'}
      required={required}
      aria-describedby={hint && `${name}-hint`}
      maxlength={256}
      {...rest}
    />
    {hint && (
      <p class="soft" id={`${name}-hint`}>
        {hint}
      </p>
    )}
  </>
);
