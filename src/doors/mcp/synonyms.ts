import { stemmer } from 'stemmer';

/**
 * Words and phrases that people use for the same thing, or for doing the same; the first is the service's own. A word
 * may have several meanings: `delete` is in every line that somebody may mean by it.
 */
const alike = [
  // Things.
  'reservation, booking, stay, trip, walk in',
  'guest, visitor, traveller, traveler, customer, tenant, guest profile',
  'property, house, home, hotel, building, villa, cottage, cabin, listing, site, location',
  'unit, room, apartment, flat, studio, suite, resource',
  'type, category',
  'task, job, chore, to do, ticket, work order',
  'repair, maintenance, fix, broken, damage, leak, drip',
  'cleaning, housekeeping',
  'member, colleague, employee, staff, teammate, team, user, user account, worker',
  'guide, guidebook, manual, handbook, guest book, welcome book',
  'place, point of interest, recommendation, restaurant, pizzeria, bakery, cafe, bar, tip, attraction, sight, spot',
  'translation, translate, language, localization',
  'email, mail, mails, newsletter, letter',
  'workflow, automation, automatic, flow, rule',
  'run, execution',
  'model, ai, llm',
  'code, pin, digits, passcode',
  'device, appliance, thermostat, lock, sensor',
  'temperature, warm, cold, degree, setpoint',
  'reading, measurement, sensor',
  'command, remote action',
  'connection, integration, channel, provider, external system, connected account, calendar, pms',
  'pms, crm, property management system',
  'calendar, ical, ics',
  'webhook, subscription, hook, callback',
  'endpoint, url, address',
  'feed, subscription, link',
  'application, app, client, assistant, oauth',
  'suppression, unsubscribe, optout, opt out, blocklist, blacklist, block, do not email, email address',
  'ref, reference, your id, external id, foreign id, confirmation number',
  'request, api call',
  'usage, quota, rate limit, consumption',
  'audit, history, log, trail, activity, who changed',
  'identity, current user, authenticated user',
  'day, dashboard, overview, summary',
  'event, notification, happening, feed, changes feed',
  'attachment, file, photo, picture, image, document',
  'comment, note, remark, discussion, message',
  'wifi, wireless, internet, wlan',
  'organization, company, business, account',
  'permission, right',
  'secret, token, signing key',
  'key, token, credential',
  'contact, email address, phone number, phone',
  'message, mail, email, sms',
  'tape chart, timeline, grid, planner, occupancy',
  'version, revision',
  'free, available, availability, vacant',
  'arrival, arrive, coming',
  'departure, depart, leave',
  // Doing.
  'create, add, make, new, register, set up, issue, insert, store, open, report',
  'get, show, read, view, see, look, look up, display, fetch, retrieve, inspect, check',
  'list, find, search, which, all, every, who, show, view, fetch',
  'count, how many, number of',
  'update, change, edit, modify, alter, adjust, rename, correct, extend',
  'set, mark, flag, adjust, update',
  'remove, delete, drop, discard, kick, take away',
  'erase, delete, forget, anonymize, redact',
  'archive, retire, delete, remove, close, deactivate, decommission, hide, take down',
  'hide, delete, remove',
  'end, delete',
  'disconnect, delete, unlink',
  'withdraw, retract, cancel',
  'restore, recover, back, reactivate, again, unarchive, undelete',
  'reinstate, restore, reactivate, unsuspend',
  'undo, revert, reverse, mistake, mistaken',
  'roll back, revert, undo',
  'cancel, abort, stop, call off, drop, forget, not coming',
  'complete, finish, done, tick, close, resolve',
  'start, begin, in progress',
  'send, deliver, resend',
  'test, try, verify, check',
  'rotate, renew, replace, regenerate, reset, invalidate',
  'regenerate, renew, replace, reset',
  'reveal, disclose, read out',
  'pause, disable, stop, turn off, switch off',
  'suspend, disable, block, deactivate',
  'revoke, disable, block',
  'block, maintenance, close, closure, out of order, out of service',
  'publish, release, live',
  'unlock, release, open, locked out',
  'lock, close',
  'activate, enable, turn on, switch on, live',
  'assign, give, allocate, choose, put, instead, responsible',
  'unassign, unallocate',
  'invite, hire',
  'move, shift, relocate, transfer, postpone, push, reschedule',
  'merge, combine, duplicate, deduplicate',
  'generate, draft',
  'save, store, create, upsert, sync',
  'import, load, sync',
  'sync, refresh',
  'bulk, many, several, multiple, batch',
  'render, preview',
  'reconcile, compare, against',
  'check in, arrive, arrival',
  'check out, departure, depart',
  'connect, link, set up',
].map((line) => line.split(', ').map((phrase) => stemsOf(phrase).join(' ')) as [string, ...string[]]);

/** What a stem or a phrase of stems may mean: itself if a line begins with it, then in the order of the lines. */
const known = new Map<string, [string, ...string[]]>(alike.map(([own]) => [own, [own]]));
for (const [own, ...others] of alike) for (const other of others) known.set(other, [...(known.get(other) ?? []), own]);

const longest = Math.max(...[...known.keys()].map((phrase) => phrase.split(' ').length));

/** Words without meaning for a search. */
const idle = new Set(
  'a an and another any are as at be been by detail details did do does for from had has have he her him his i in is it its me more my not now of or our she should so that the their them then there they this to us was we were will with would you your'
    .split(' ')
    .map((word) => stemmer(word)),
);

/** What a text is about: for each of its words, or phrases that are known, what it may mean. */
export function meaningsOf(text: string): [string, ...string[]][] {
  const stems = stemsOf(text);
  const found: [string, ...string[]][] = [];
  for (let at = 0, length: number; at < stems.length; at += length) {
    length = longest;
    while (length > 1 && !known.has(stems.slice(at, at + length).join(' '))) length -= 1;
    const phrase = stems.slice(at, at + length).join(' ');
    if (!idle.has(phrase)) found.push(known.get(phrase) ?? [phrase]);
  }
  return found;
}

/** `getMe` and `create_workflow` are two words. */
function stemsOf(text: string): string[] {
  const words = text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).map((word) => stemmer(word));
}
