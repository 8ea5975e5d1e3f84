import type { Request, Response } from 'express';
import { Get, Req, Res } from '@nestjs/common';
import { Form } from '../../../platform/pages/form.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { SeeOther } from '../../../platform/pages/see-other.js';
import { UsersService } from '../../../tenancy/people/users.service.js';
import { type Held, HeldForm } from '../held-form.js';
import type { SignedIn } from '../session.js';
import { SessionsService } from '../sessions.service.js';

/** Gives a form back that could not be processed when it was sent. */
@PageController()
export class ResumeController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly held: HeldForm,
  ) {}

  @Get('resume')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const held = this.held.take(request, response, await this.users.findOwner(signedIn.userId));
    if (!held) throw new SeeOther('/account');
    renderPage(response, { title: 'Continue where you were', children: <ResumePage signedIn={signedIn} {...held} /> });
  }
}

/** Hidden fields are left out, because they mean nothing to people. */
const isHidden = (name: string): boolean => /(^|_)(id|operation|org|to)$|Ids?$/i.test(name);

const ResumePage = ({ signedIn, action, page, fields }: Held & { signedIn: SignedIn }) => (
  <Form class="panel" action={action} owner={signedIn}>
    <h1>Continue where you were</h1>
    <p>We had to ask who you are when you sent this form, so nothing was changed yet.</p>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <dl class="facts">
      <dt>Form</dt>
      <dd>{wordsOf(fields.operation ?? placeOf(action))}</dd>
      {Object.entries(fields)
        .filter(([name, value]) => value && !isHidden(name))
        .map(([name, value]) => (
          <>
            <dt>{wordsOf(name)}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
    <div class="actions">
      <a class="button" href={page}>
        Discard it
      </a>
      <button class="primary">Send it now</button>
    </div>
  </Form>
);

/** `/account/approval-rules/add` → `approval-rules: add` */
const placeOf = (action: string): string =>
  new URL(action, 'http://self.invalid').pathname.split('/').slice(2).join(': ');

/** `organizationName` and `organization_name` → `Organization name`. */
function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
