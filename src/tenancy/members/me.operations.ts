import { NoInput, one, operation } from '#operations';
import { MeView } from './me.dto.js';

export const getMe = operation({
  name: 'getMe',
  route: 'GET /me',
  effect: 'read',
  reach: 'record',
  title: 'Show your identity',
  description:
    'Returns the organization, member, permissions, region and limits of this credential, and why tools may be missing.',
  askedAs: 'who am I, my rights, what is the date today',
  everyday: true,
  input: NoInput,
  output: one(MeView),
});
