import type { ComponentChildren, JSX } from 'preact';
import { type FormOwner, formTokenField, newNonce, nonceField } from './forms.service.js';

interface FormProps extends Omit<JSX.IntrinsicElements['form'], 'method' | 'action' | 'children'> {
  action: string;
  owner: FormOwner;
  children: ComponentChildren;
}

/** A form of ours: posted, with the hidden token that proves it, and the nonce that tells a repetition from a new one. */
export const Form = ({ action, owner, children, ...rest }: FormProps) => (
  <form method="post" action={action} {...rest}>
    <input type="hidden" name={formTokenField} value={owner.formToken} />
    <input type="hidden" name={nonceField} value={newNonce()} />
    {children}
  </form>
);

interface FieldProps {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'number';
  value?: string;
  /** What a browser or password manager may fill in (HTML, autofill). */
  autocomplete?: string;
  inputmode?: 'numeric';
  hint?: string;
  required?: boolean;
  min?: number;
  max?: number;
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
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
      type={type as 'text'}
      required={required}
      aria-describedby={hint && `${name}-hint`}
      {...rest}
    />
    {hint && (
      <p class="soft" id={`${name}-hint`}>
        {hint}
      </p>
    )}
  </>
);

/** The path to return to after a form. */
export const ReturnTo = ({ path }: { path: string }) => <input type="hidden" name="return_to" value={path} />;
