import type { ComponentChildren } from 'preact';
import { Form } from '../../../platform/pages/form.js';
import type { FormOwner } from '../../../platform/pages/forms.service.js';

interface PasskeyFormProps {
  action: string;
  owner: FormOwner;
  /** Which of `navigator.credentials` is asked. */
  kind: 'create' | 'get';
  /** What it is asked for, as JSON. */
  options: string;
  button: string;
  children?: ComponentChildren;
}

/** Shown by the script alone, and only in browsers that can. */
export const PasskeyForm = ({ action, owner, kind, options, button, children }: PasskeyFormProps) => (
  <Form action={action} owner={owner} data-passkey={kind} data-options={options} hidden>
    {children}
    <input type="hidden" name="answer" />
    <p class="soft" role="status"></p>
    <div class="actions one">
      <button class="primary">{button}</button>
    </div>
  </Form>
);
