import type { Json } from '../../../support/api.js';
import { deleting, made, patching, posting, type Scenes, world } from './world.js';

const guide = (): Promise<string> => made('/guides', { name: 'Welcome', sourceLocale: 'en', locales: ['pt'] });

const ofGuide = (path: string) => (id: string) => `/guides/${id}${path}`;

/** A place in a guide, as a path. */
const placePath = async (): Promise<string> => {
  const guideId = await guide();
  return `/guides/${guideId}/places/${await made(`/guides/${guideId}/places`, { name: 'Café' })}`;
};

/** The one translation of a guide, as a path. */
const translationPath = async (): Promise<string> => {
  const path = `/guides/${await guide()}/translations`;
  const { id } = (await world.api.get(path)).body.data[0] as Json;
  await world.api.patch(`${path}/${id}`, { text: 'Bem-vindos' });
  return `${path}/${id}`;
};

export const guides: Scenes = {
  saveGuide: [
    ['guide.saved'],
    () => Promise.resolve(() => world.api.post('/guides', { name: 'Welcome', sourceLocale: 'en' })),
  ],
  updateGuide: [['guide.updated'], patching(guide, ofGuide(''), { name: 'Hello' })],
  publishGuide: [['guide.published'], posting(guide, ofGuide('/publish'), { force: true })],
  archiveGuide: [['guide.archived'], posting(guide, ofGuide('/archive'))],
  addPlace: [['place.added'], posting(guide, ofGuide('/places'), { name: 'Café' })],
  updatePlace: [['place.updated'], patching(placePath, (path) => path, { note: 'Good cake' })],
  hidePlace: [['place.hidden'], deleting(placePath, (path) => path)],
  editTranslation: [['translation.edited'], patching(translationPath, (path) => path, { text: 'Olá' })],
  editTranslations: [
    ['translation.edited'],
    async () => {
      const path = await translationPath();
      const texts = [{ translationId: path.split('/').at(-1), text: 'Olá' }];
      return () => world.api.post(path.replace(/[^/]+$/, 'bulk'), { texts });
    },
  ],
  approveTranslation: [['translation.approved'], posting(translationPath, (path) => `${path}/approve`)],
};
