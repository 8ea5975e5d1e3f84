import { Id, ObjectOf, OneOf, Text } from '#operations';

export const actorTypes = ['member', 'service'] as const;
const credentialKinds = ['api-key', 'oauth', 'session', 'workflow'] as const;

export class ActorCredential {
  @OneOf(credentialKinds, {
    description: 'api-key; oauth: an application that a person approved; session: an account page; or workflow.',
  })
  kind: (typeof credentialKinds)[number];
  @Text({ description: 'Id of the API key, approval, session or workflow.', max: 100 }) id: string;
  @Text({ description: 'Application that acted for the person.', max: 2_048, optional: true }) clientId?: string;
  @Id('run', { description: 'Run of the workflow (run_…).', optional: true }) runId?: string;
}

export class Actor {
  @OneOf(actorTypes, { description: 'A member, or the service itself.' }) type: (typeof actorTypes)[number];
  @Id('member', { description: 'Member id (member_…).', optional: true }) id?: string;
  @ObjectOf(() => ActorCredential, { description: 'Credential that the member used.', optional: true })
  credential?: ActorCredential;
}

export class EventSubject {
  @Text({ description: 'Kind of record.', max: 60, example: 'task' }) type: string;
  @Text({ description: 'Id of the record.', max: 100 }) id: string;
}
