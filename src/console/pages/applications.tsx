import { may } from '#access';
import { listApplications, revokeApplication } from '../../auth/applications/applications.operations.js';
import type { ApplicationView } from '../../auth/applications/application.dto.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { Scopes } from '../parts/scopes.js';
import { namesOf } from './names.js';

export const applications: ConsolePage = {
  path: 'applications',
  title: 'Applications',
  needs: 'applications:read',
  forms: [form(revokeApplication, 'The application was revoked and no longer has access.')],
  async show(visit) {
    const of = may(visit.caller, 'applications:manage') ? 'organization' : 'own';
    const [page, members] = await Promise.all([visit.list(listApplications, [], { of }), namesOf(visit, 'members')]);
    const whoOf = ({ userId, memberId }: ApplicationView): string =>
      userId === visit.signedIn.userId ? 'you' : (members.get(memberId ?? '') ?? 'another member');
    return (
      <>
        <p class="soft">
          Assistants and programs that {of === 'own' ? 'act as you' : 'act as members'}, as they were approved.
        </p>
        <List
          caption="Applications"
          page={page}
          empty="No applications are connected."
          columns={[
            ['Application', ({ clientName, verified }) => (verified ? clientName : `${clientName} (unverified)`)],
            ['Acts as', whoOf],
            ['Permissions', ({ scopes }) => <Scopes scopes={scopes} />],
            ['Approved', ({ createdAt }) => <Moment at={createdAt} />],
            ['Last used', ({ lastUsedAt }) => <Moment at={lastUsedAt} none="never" />],
            ['Ended', ({ revokedAt }) => <Moment at={revokedAt} />],
            [
              '',
              ({ id, clientName, revokedAt }) =>
                revokedAt === null && (
                  <div class="acts">
                    <Act
                      does={revokeApplication}
                      to={{ applicationId: id }}
                      label="Revoke"
                      of={clientName}
                      ask="Its tokens and the API keys that it created stop working immediately."
                    />
                  </div>
                ),
            ],
          ]}
        />
      </>
    );
  },
};
