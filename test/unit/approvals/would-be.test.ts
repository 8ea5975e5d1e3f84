import { wouldBe } from '../../../src/auth/approvals-page/would-be.js';

it.each([
  ['A guest was added.', 'A guest would be added.'],
  ['The guests checked in.', 'The guests would check in.'],
  ['A completed task was reopened.', 'A completed task would be reopened.'],
  ['A workflow run failed.', 'A workflow run would fail.'],
  [
    'A message was not sent because its address is suppressed.',
    'A message would not be sent because its address is suppressed.',
  ],
  [
    'All future stays have been changed to the new times or time zone of their property.',
    'All future stays would be changed to the new times or time zone of their property.',
  ],
  ['A stay no longer overlaps another confirmed stay.', 'A stay would no longer overlap another confirmed stay.'],
  [
    'A connection was disconnected and its credentials were deleted.',
    'A connection would be disconnected and its credentials would be deleted.',
  ],
  [
    'A stay was marked as a no-show, or the nights of a no-show were released.',
    'A stay would be marked as a no-show, or the nights of a no-show would be released.',
  ],
  ['A workflow was renamed or has a new version.', 'A workflow would be renamed or have a new version.'],
])('says what would happen: %s', (happened, foreseen) => {
  expect(wouldBe(happened)).toBe(foreseen);
});
