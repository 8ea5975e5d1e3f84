import { one, operation, page } from '#operations';
import { GuideView, ListGuides, PublishGuide, SaveGuide, ThisGuide, UpdateGuide } from './guide.dto.js';
import { guideIsArchived, guideTooLong, slugIsFixed, slugIsTaken, translationsMissing } from './guides.errors.js';

export const listGuides = operation({
  name: 'listGuides',
  route: 'GET /guides',
  scope: 'guides:read',
  effect: 'read',
  reach: 'property',
  title: 'List guides',
  description: 'Lists guides for guests and staff by status and property, newest first by default.',
  askedAs: 'guidebooks, house manuals',
  everyday: true,
  resource: 'guide://{slug}',
  input: ListGuides,
  output: page(GuideView),
});

export const getGuide = operation({
  name: 'getGuide',
  route: 'GET /guides/{guideId}',
  scope: 'guides:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a guide',
  description: 'Returns the working draft of one guide. Guests read the latest published version.',
  askedAs: 'read the house manual',
  everyday: true,
  input: ThisGuide,
  output: one(GuideView),
});

export const saveGuide = operation({
  name: 'saveGuide',
  route: 'POST /guides',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Save a new guide',
  description: 'Saves a new guide as a draft. publishGuide makes it public.',
  askedAs: 'create or write a guidebook, house manual',
  refuses: [guideTooLong, slugIsTaken],
  input: SaveGuide,
  output: one(GuideView),
  status: 201,
});

export const updateGuide = operation({
  name: 'updateGuide',
  route: 'PATCH /guides/{guideId}',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a guide',
  description:
    'Changes the given fields of the working draft. The published version does not change until publishGuide. Translations of changed texts become stale.',
  askedAs: 'edit house rules, a section',
  refuses: [guideIsArchived, guideTooLong, slugIsFixed, slugIsTaken],
  input: UpdateGuide,
  output: one(GuideView),
});

export const publishGuide = operation({
  name: 'publishGuide',
  route: 'POST /guides/{guideId}/publish',
  scope: 'guides:publish',
  effect: 'write',
  reach: 'property',
  title: 'Publish a guide',
  description:
    "Publishes the current draft at the guide's public address. Rejected with a list of missing translations, unless forced.",
  askedAs: 'put online, make visible to guests',
  everyday: true,
  refuses: [guideIsArchived, translationsMissing],
  input: PublishGuide,
  output: one(GuideView),
});

export const archiveGuide = operation({
  name: 'archiveGuide',
  route: 'POST /guides/{guideId}/archive',
  scope: 'guides:publish',
  effect: 'destructive',
  reach: 'property',
  title: 'Archive a guide',
  description: 'Removes a guide from lists and takes its public page offline.',
  askedAs: 'delete, take offline, unpublish',
  input: ThisGuide,
  output: one(GuideView),
});
