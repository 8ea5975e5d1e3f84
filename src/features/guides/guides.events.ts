import { OmitType } from '@nestjs/swagger';
import { event } from '../../platform/events/event-type.js';
import { GuideView } from '../../guides/guide.dto.js';

/** A guide without what it says, which may hold codes and words for staff alone. */
export class GuideEventData extends OmitType(GuideView, ['sections', 'metadata'] as const) {}

/** The one property that something of a guide is about: what is about several is told to those who see all. */
export const onlyProperty = ({ propertyIds }: { propertyIds: string[] | null }): string | null =>
  propertyIds?.length === 1 ? (propertyIds[0] as string) : null;

const guide = {
  subject: 'guide',
  scope: 'guides:read' as const,
  data: GuideEventData,
  at: (data: GuideEventData) => onlyProperty(data),
};

export const guideSaved = event('guide.saved', { ...guide, tells: 'opening', says: 'A guide was saved as a draft.' });
export const guideUpdated = event('guide.updated', { ...guide, says: 'A draft of the next version was changed.' });
export const guidePublished = event('guide.published', { ...guide, says: 'A guide went live as it is now.' });
export const guideArchived = event('guide.archived', { ...guide, says: 'A guide was taken offline and archived.' });
