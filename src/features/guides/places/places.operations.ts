import { one, operation, page } from '#operations';
import { modelBacked } from '../../../outside/models/model-jobs.operations.js';
import { AddPlace, ImportPlace, ListPlaces, PlaceView, ThisPlace, UpdatePlace } from './place.dto.js';
import { guideIsArchived, guideTooLong, placeLinkUnreadable } from '../guides.errors.js';

export const listPlaces = operation({
  name: 'listPlaces',
  route: 'GET /guides/{guideId}/places',
  scope: 'guides:read',
  effect: 'read',
  reach: 'property',
  title: 'List the places of a guide',
  description: 'Lists the places that a guide recommends, drafts and approved ones, newest first.',
  askedAs: 'restaurants and tips in a guide',
  input: ListPlaces,
  output: page(PlaceView),
});

export const addPlace = operation({
  name: 'addPlace',
  route: 'POST /guides/{guideId}/places',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Add a place manually',
  description:
    'Adds a place whose facts you provide; importGuidePlace looks them up. Guests see it after publishGuide.',
  askedAs: 'restaurant, café, shop, sight, local tip',
  refuses: [guideIsArchived, guideTooLong],
  input: AddPlace,
  output: one(PlaceView),
  status: 201,
});

export const importGuidePlace = modelBacked({
  name: 'importGuidePlace',
  route: 'POST /guides/{guideId}/places/import',
  scope: 'guides:write',
  reach: 'property',
  title: 'Import a place from the map',
  description:
    'Looks up a place by name, coordinates or map link and adds it as a draft: the facts come from OpenStreetMap, a model writes the note. Approve it with updatePlace.',
  askedAs: 'Google Maps link, find a café on the map',
  everyday: true,
  refuses: [guideIsArchived, placeLinkUnreadable],
  input: ImportPlace,
  carriesOut: () => [addPlace],
});

export const updatePlace = operation({
  name: 'updatePlace',
  route: 'PATCH /guides/{guideId}/places/{placeId}',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a place',
  description: 'Changes the given fields, and approves an imported draft. Guests see it after publishGuide.',
  askedAs: 'edit or approve a restaurant, tip',
  refuses: [guideIsArchived, guideTooLong],
  input: UpdatePlace,
  output: one(PlaceView),
});

export const hidePlace = operation({
  name: 'hidePlace',
  route: 'DELETE /guides/{guideId}/places/{placeId}',
  scope: 'guides:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Hide a place',
  description: 'Removes a place from the guide with the next publishGuide; updatePlace with a status brings it back.',
  askedAs: 'remove a closed restaurant from a guide',
  refuses: [guideIsArchived],
  input: ThisPlace,
  output: one(PlaceView),
});
