import { Browser, type PageReply } from '../../faults/page-client.js';

export { Browser, type PageReply };

/** The hidden fields of the first form of a page, for any form of it. */
export function hidden({ html }: Pick<PageReply, 'html'>): Record<string, string> {
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] as string;
  return { form_token: value('form_token'), nonce: value('nonce') };
}
