import type { ComponentChildren } from 'preact';
import { Form } from '../../../platform/pages/form.js';
import { confirmationPath, needsFactor, type SignedIn } from '../session.js';

interface AfterFactorProps {
  heading: string;
  action: string;
  /** The page that the form is on. */
  place: string;
  signedIn: SignedIn;
  children: ComponentChildren;
}

/** A form that people who have a second factor see when they have used it recently; until then, the way to do so. */
export const AfterFactor = ({ heading, action, place, signedIn, children }: AfterFactorProps) =>
  needsFactor(signedIn) ? (
    <section class="panel">
      <h2>{heading}</h2>
      <p class="soft">To change it, use your second factor first.</p>
      <div class="links">
        <a class="button" href={confirmationPath(place, 'factor')}>
          Use your second factor
        </a>
      </div>
    </section>
  ) : (
    <Form class="panel" action={action} owner={signedIn}>
      <h2>{heading}</h2>
      {children}
    </Form>
  );
