import { one, operation } from '#operations';
import { MeView, NoInput } from '../../organizations/me.dto.js';

export const getMe = operation({
  name: 'getMe',
  route: 'GET /me',
  effect: 'read',
  reach: 'record',
  title: 'Who am I',
  description:
    'Returns the organization, member, permissions, region and limits of this credential, and why tools may be missing.',
  input: NoInput,
  output: one(MeView),
});
