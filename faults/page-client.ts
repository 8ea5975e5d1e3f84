/** A page as it was returned, with what a form needs to be sent. */
export interface PageReply {
  status: number;
  headers: Headers;
  html: string;
  /** The text that a reader sees, without tags and the spaces between them. */
  text: string;
  /** The path that the redirects ended at. */
  path: string;
  /** The same as a URL; redirects to other origins are where a browser leaves us, and end here without a request. */
  url: URL;
}

type Extra = Record<string, string>;

/** A browser without scripts: keeps cookies, follows redirects, sends forms with their hidden fields. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The path that a cookie is limited to, by its name; one name has one path at a time. */
  private readonly paths = new Map<string, string>();

  constructor(private readonly url: string) {}

  get(path: string, headers: Extra = {}): Promise<PageReply> {
    return this.send(path, { headers });
  }

  post(path: string, fields: Record<string, string>, headers: Extra = {}): Promise<PageReply> {
    return this.send(path, {
      method: 'POST',
      headers: { origin: this.url, 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields),
    });
  }

  /** Sends the form of a page with this `action`: its hidden fields and the input. */
  async submit(page: PageReply, action: string, fields: Record<string, string> = {}, headers: Extra = {}) {
    return await this.post(action, { ...hiddenFields(page.html, action), ...fields }, headers);
  }

  async signIn(email: string, password: string, returnTo = '/account'): Promise<PageReply> {
    const page = await this.get(`/sign-in?${new URLSearchParams({ return_to: returnTo })}`);
    return await this.submit(page, '/sign-in', { email, password });
  }

  /** One request and its response, without following redirects. */
  async once(path: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(path, this.url);
    const cookie = [...this.cookies]
      .filter(([name]) => pathname.startsWith(this.paths.get(name) ?? '/'))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    const headers = { ...(cookie && { cookie }), ...(init.headers as Extra) };
    const response = await fetch(new URL(path, this.url), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  private async send(path: string, init: RequestInit): Promise<PageReply> {
    let [at, response] = [path, await this.once(path, init)];
    for (let hops = 0; response.status === 303 && hops < 5; hops += 1) {
      at = response.headers.get('location') as string;
      if (new URL(at, this.url).origin !== this.url) break;
      response = await this.once(at);
    }
    const html = await response.text();
    const text = html
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/&#39;|&apos;/g, "'")
      .replaceAll(/\s+/g, ' ');
    return { status: response.status, headers: response.headers, html, text, path: at, url: new URL(at, this.url) };
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
    this.paths.set(name, /; path=([^;]*)/i.exec(line)?.[1] ?? '/');
  }
}

function hiddenFields(html: string, action: string): Record<string, string> {
  const form = html.split('<form').find((part) => part.includes(`action="${action}"`));
  if (!form) throw new Error(`The page has no form for ${action}:\n${html}`);
  const inputs = (form.split('</form>')[0] as string).matchAll(
    /<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g,
  );
  const valueOf = ([, name = '', value = '']: readonly string[]): [string, string] => [
    name,
    value.replaceAll('&amp;', '&'),
  ];
  return Object.fromEntries([...inputs].map(valueOf));
}

/** The hidden fields of the first form of a page, for any form of it. */
export function hidden({ html }: Pick<PageReply, 'html'>): Record<string, string> {
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] as string;
  return { form_token: value('form_token'), nonce: value('nonce') };
}
