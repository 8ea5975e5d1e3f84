import { one, operation } from '#operations';
import { GetMe, MeView } from './me.dto.js';

export const getMe = operation({
  name: 'getMe',
  route: 'GET /me',
  effect: 'read',
  reach: 'record',
  title: 'Show your identity',
  description:
    'Returns the date, organization, member, permissions and limits of this credential, and why tools may be missing. brief=true is enough to start.',
  askedAs: 'who am I, my rights, what is the date today',
  everyday: true,
  input: GetMe,
  output: one(MeView),
});
