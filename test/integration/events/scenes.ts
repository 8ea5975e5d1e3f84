import { propertyOf } from '../../support/factories.js';
import { accessCode, devices, ofCode } from './scenes/devices.js';
import { guides } from './scenes/guides.js';
import { letters } from './scenes/letters.js';
import { people } from './scenes/people.js';
import { ofProperty, places } from './scenes/places.js';
import { stays } from './scenes/stays.js';
import { systems } from './scenes/systems.js';
import { tasks } from './scenes/tasks.js';
import { workflows } from './scenes/workflows.js';
import { patching, type Scene, type Scenes, world } from './scenes/world.js';

export { consequences } from './scenes/consequences.js';
export { type Scene, world } from './scenes/world.js';

/** Every operation that writes. */
export const scenes: Scenes = {
  ...places,
  ...stays,
  ...tasks,
  ...devices,
  ...guides,
  ...letters,
  ...workflows,
  ...people,
  ...systems,
};

const sceneOf = (name: string): Scene => (scenes[name] as [string[], Scene])[1];
/** Writes that change nothing when they are requested a second time. */
export const repeated: Record<string, Scene> = {
  ...Object.fromEntries(
    [
      'archiveDevice',
      'archiveEmailTemplate',
      'archiveGuide',
      'archiveProperty',
      'archiveTask',
      'archiveUnit',
      'archiveUnitType',
      'archiveWorkflow',
      'assignTask',
      'editTranslations',
      'approveTranslation',
      'disconnectConnection',
      'endUnitBlock',
      'hidePlace',
      'moveReservation',
      'pauseWorkflow',
      'publishEmailTemplate',
      'restoreDevice',
      'restoreProperty',
      'restoreTask',
      'restoreUnit',
      'revokeApiKey',
      'setPropertyStatus',
      'setUnitStatus',
    ].map((name) => [name, sceneOf(name)]),
  ),
  'updateProperty with a wifi': patching(() => propertyOf(world.api), ofProperty(''), {
    wifi: { networkName: 'Lake', password: 'only-for-guests' },
  }),
  'updateAccessCode with digits': patching(accessCode, ofCode(''), { code: '482913' }),
};
