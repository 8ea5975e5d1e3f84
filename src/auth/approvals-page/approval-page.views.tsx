import { Moment } from '../accounts/pages/account-page.js';
import type { SignedIn } from '../accounts/session.js';
import type { ApprovalStatus } from '../approvals/approval.dto.js';
import { Form } from '../../platform/pages/form.js';
import { Problem } from '../../platform/pages/messages.js';
import { Effects } from './effects.views.js';
import type { EffectGroup } from './shown-effects.js';
import { inOrder, labelOf, Value } from './shown-values.js';

/** Who asks, as a person knows it. */
export interface Requester {
  name: string;
  kind: 'application' | 'key';
  verified: boolean;
  /** The person on whose behalf it asks. */
  onBehalfOf: string | null;
}

interface ApprovalProps {
  signedIn: SignedIn;
  path: string;
  organization: string;
  requester: Requester;
  title: string;
  description: string;
  reason: string | null;
  fields: Readonly<Record<string, unknown>>;
  names: ReadonlyMap<string, string>;
  status: ApprovalStatus;
  note: string | null;
  requestedAt: string;
  expiresAt: string;
  /** Who decided last, and when; a request that is asked again waits for another decision. */
  decidedBy: string | null;
  decidedAt: string | null;
  /** Not there once it is decided, and where it would be refused. */
  groups?: EffectGroup[];
  /** What would start automatically afterwards. */
  follows: readonly string[];
  /** What the person sees, so that nothing else is approved. */
  effectsHash?: string;
  callsOut: boolean;
  problem?: string;
}

export const ApprovalPage = (props: ApprovalProps) => (
  <>
    <section class="panel">
      <h1>{props.title}</h1>
      {props.description && <p class="soft">{props.description}</p>}
      <Problem>{props.problem}</Problem>
      {props.status !== 'pending' && <p class="notice">{ended[props.status]}</p>}
      <Facts {...props} />
      {props.reason && (
        <>
          <h2>Reason given by the requester</h2>
          <blockquote>{inOrder(props.reason)}</blockquote>
        </>
      )}
      <h2>Request</h2>
      <dl class="facts">
        {Object.entries(props.fields).map(([name, value]) => (
          <>
            <dt>{labelOf(name)}</dt>
            <dd>
              <Value of={value} names={props.names} />
            </dd>
          </>
        ))}
      </dl>
    </section>
    {props.groups && <Effects {...props} groups={props.groups} />}
    {props.status === 'pending' && <Decision {...props} />}
    <p class="soft below">
      <a href="/account/approvals">All approvals</a> · Signed in as {props.signedIn.email} ·{' '}
      <a href="/account">your account</a>
    </p>
  </>
);

const ended: Record<Exclude<ApprovalStatus, 'pending'>, string> = {
  approved: 'Approved. The request is being carried out.',
  done: 'Approved and carried out.',
  failed: 'Approved, but it could not be carried out. Nothing was changed.',
  refused: 'Refused. Nothing was changed.',
  withdrawn: 'The application withdrew it. Nothing was changed.',
  expired: 'It expired before anyone decided. Nothing was changed.',
};

const Facts = ({ requester, organization, requestedAt, expiresAt, status, note, ...decided }: ApprovalProps) => (
  <dl class="facts">
    <dt>Requested by</dt>
    <dd>
      {requester.kind === 'key' ? 'API key ' : ''}
      <strong>{inOrder(requester.name)}</strong>
      {requester.kind === 'application' && !requester.verified && (
        <>
          {' '}
          <span class="mark">unverified</span>
        </>
      )}
    </dd>
    {requester.onBehalfOf && (
      <>
        <dt>On behalf of</dt>
        <dd>{requester.onBehalfOf}</dd>
      </>
    )}
    <dt>Organization</dt>
    <dd>{organization}</dd>
    <dt>Requested</dt>
    <dd>
      <Moment at={requestedAt} />
    </dd>
    {status === 'pending' && (
      <>
        <dt>Expires</dt>
        <dd>
          <Moment at={expiresAt} />
        </dd>
      </>
    )}
    {status !== 'pending' && decided.decidedBy && decided.decidedAt && (
      <>
        <dt>Decided</dt>
        <dd>
          <Moment at={decided.decidedAt} /> by {decided.names.get(decided.decidedBy) ?? 'a member'}
        </dd>
      </>
    )}
    {note && (
      <>
        <dt>Note</dt>
        <dd>{note}</dd>
      </>
    )}
  </dl>
);

/** Both buttons have the same size; neither is the default of the page. */
const Decision = ({ signedIn, path, effectsHash }: ApprovalProps) => (
  <Form class="panel" action={path} owner={signedIn}>
    <h2>Your decision</h2>
    {effectsHash && <input type="hidden" name="effects" value={effectsHash} />}
    <label class="field" for="note">
      Note to the requester, if you refuse
    </label>
    <input id="note" name="note" type="text" maxlength={500} autocomplete="off" />
    <div class="actions">
      <button name="decision" value="refuse">
        Refuse
      </button>
      <button name="decision" value="approve" disabled={!effectsHash}>
        Approve
      </button>
    </div>
  </Form>
);
