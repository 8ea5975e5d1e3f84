import { Browser, hidden, type PageReply } from '../../faults/page-client.js';
import { owner, type Service } from './start-app.js';

/** The console of the first organization, for its owner, in a browser without scripts. */
export interface OwnersConsole {
  browser: Browser;
  /** The whole path of a page. */
  at(path?: string): string;
  open(path: string): Promise<PageReply>;
  /** Opens a page and sends a form of it. */
  send(path: string, operation: string, fields: Record<string, string>): Promise<PageReply>;
}

export async function ownersConsole(service: Service): Promise<OwnersConsole> {
  const slug = (await service.api.get('/organization')).body.data.slug as string;
  const at = (path = '') => `/console/${slug}${path && `/${path}`}`;
  const browser = new Browser(service.url);
  await browser.signIn(owner.email, owner.password, at());
  const open = (path: string) => browser.get(at(path));
  return {
    browser,
    at,
    open,
    send: async (path, operation, fields) =>
      await browser.post(at(path), { ...hidden(await open(path)), operation, ...fields }),
  };
}

/** What a list of choices offers, by the name of its field; that of the first form with such a field. */
export function offered({ html }: PageReply, field: string): string[] {
  const [, list = ''] = new RegExp(`<select[^>]*name="${field}"[^>]*>(.*?)</select>`).exec(html) ?? [];
  return [...list.matchAll(/<option[^>]*>([^<]*)/g)].map(([, label]) => label as string);
}

/** The value of a choice, by what it is called. */
export const valueOf = ({ html }: PageReply, label: string): string =>
  new RegExp(`<option value="([^"]+)"[^>]*>${label}<`).exec(html)?.[1] as string;

/** What a form sends without anybody typing it, by what its button says. */
export function fixedIn({ html }: PageReply, button: string): Record<string, string> {
  const form = html.split('<form').find((one) => one.includes(`>${button}</button>`)) ?? '';
  return Object.fromEntries(
    [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>;
}
