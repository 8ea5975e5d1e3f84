import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, putBack, undoneBy } from '../../platform/events/undo.js';
import { GuideView } from './guide.dto.js';

/** A guide without its content, which may contain codes and text only for staff. */
export class GuideEventData extends OmitType(GuideView, ['sections', 'metadata'] as const) {}

/**
 * The property that the guide is for, if it is only one: events about several properties go to those who see all of
 * them.
 */
export const onlyProperty = ({ propertyIds }: { propertyIds: string[] | null }): string | null =>
  propertyIds?.length === 1 ? (propertyIds[0] as string) : null;

const guide = {
  subject: 'guide',
  scope: 'guides:read' as const,
  data: GuideEventData,
  at: (data: GuideEventData) => onlyProperty(data),
};

export const guideSaved = event('guide.saved', {
  ...guide,
  kind: 'opening',
  description: 'A guide was created as a draft.',
  undo: undoneBy('archiveGuide', ({ id }) => ({ guideId: id })),
});
export const guideUpdated = event('guide.updated', {
  ...guide,
  description: 'The draft of a guide was changed.',
  undo: putBack('guide.updated'),
});
export const guidePublished = event('guide.published', {
  ...guide,
  description: 'A guide was published.',
  undo: cannotBeUndone('Guests may have read it. Publish it again, or archive it with archiveGuide.'),
});
export const guideArchived = event('guide.archived', {
  ...guide,
  description: 'A guide was archived and taken offline.',
  undo: ({ before }) =>
    before.status === 'published'
      ? cannotBeUndone('The guide is offline, and its address no longer works. Save a new one with saveGuide.')
      : { event: 'guide.updated' },
});
