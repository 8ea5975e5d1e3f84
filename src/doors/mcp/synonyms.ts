import { stemmer } from 'stemmer';

/** Words that people use for the same thing, or for doing the same; the first is the service's own. */
const alike = [
  // Things.
  'reservation booking stay trip',
  'guest visitor traveller traveler customer',
  'property house home hotel building villa cottage cabin listing',
  'unit room apartment flat studio suite',
  'task job chore todo',
  'member colleague employee staff teammate team user worker',
  'guide guidebook manual handbook',
  'place recommendation restaurant bakery cafe bar tip attraction',
  'translation translate language localization',
  'email mail mails newsletter letter',
  'workflow automation flow',
  'run execution',
  'model ai llm',
  'code pin digits passcode',
  'device appliance thermostat lock',
  'connection integration calendar channel provider',
  'webhook subscription hook',
  'endpoint url address',
  'application app client assistant',
  'suppression unsubscribe optout blocklist',
  'audit history log trail',
  'attachment file photo picture image document',
  'comment note remark',
  'wifi wireless internet wlan',
  'organization company business',
  'permission right',
  'version revision',
  'event notification happening',
  // Doing.
  'create add make new register set issue',
  'list find search which all who',
  'count many number',
  'get show read view see look display details',
  'update change edit modify alter adjust rename correct',
  'remove delete erase drop discard',
  'archive retire withdraw close',
  'restore reactivate recover back',
  'cancel abort stop',
  'complete finish done tick',
  'start begin',
  'send deliver resend',
  'test try verify check',
  'rotate renew replace regenerate',
  'reveal disclose',
  'disable block suspend revoke',
  'publish release live',
  'activate enable on',
  'assign give responsible',
  'invite hire',
  'move shift relocate',
  'generate draft',
];

const canonical = new Map(
  alike.flatMap((words) => {
    const [own, ...others] = words.split(' ').map((word) => stemmer(word)) as [string, ...string[]];
    return others.map((other) => [other, own] as const);
  }),
);

/** Words that say nothing. */
const idle = new Set(
  'a an and are as at be been by did do does for from had has have he her him his i in is it its me my not now of or our she should so that the their them then there they this to us was we were will with would you your'.split(
    ' ',
  ),
);

/** What a text is about: the stems of its words, one for those that are alike. `getMe` and `create_workflow` are two words. */
export const stemsOf = (text: string): string[] =>
  (
    text
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  )
    .filter((word) => !idle.has(word))
    .map((word) => stemmer(word))
    .map((stem) => canonical.get(stem) ?? stem);
