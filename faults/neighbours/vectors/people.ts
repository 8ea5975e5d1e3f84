import { multiply, over } from '../attacking.js';
import type { Stage, Vector } from '../vector.js';

interface Form {
  /** The address of pages, which differs for the service: it would reject a form of another site. */
  site: string;
  path: string;
  token: string;
  cookie: string;
}

/** A form of a page, as a browser receives it. */
async function formOf(url: string, path: string): Promise<Form> {
  const response = await fetch(url + path);
  const token = /name="form_token" value="([^"]+)"/.exec(await response.text())?.[1];
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  if (!token) throw new Error(`${path} has no form: ${response.status}`);
  return { site: new URL(response.url).origin, path, token, cookie };
}

/** From an address of its own, as the proxy in front reports it. */
async function submit({ site, path, token, cookie }: Form, fields: Record<string, string>): Promise<Response> {
  const address = `203.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`;
  const response = await fetch(site + path, {
    method: 'POST',
    headers: { cookie, origin: site, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
    body: new URLSearchParams({ form_token: token, ...fields }),
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  });
  await response.arrayBuffer();
  if (response.status === 403) throw new Error(`The form of ${path} is refused`);
  return response;
}

const behindProxy = { TRUSTED_PROXIES: '127.0.0.1/32' };
const addressOf = (n: number): string => `person${n}@victim.example`;

/** Accounts like the first, because one person may request few letters. */
async function addPeople(stage: Stage): Promise<void> {
  const { rows } = await stage.database.query<{ id: string }>('select id from users where email = $1', [stage.person]);
  const id = `user_${rows[0]?.id.replaceAll('-', '')}`;
  const changes = `jsonb_build_object('email', 'person' || n || '@victim.example')`;
  await multiply(stage, { table: 'users', id, count: 2_000, changes });
}

export const invitations: Vector = {
  name: 'invitations',
  description: '200 invitations, while people of the victim have forgotten their passwords; each letter takes 0.3 s',
  env: behindProxy,
  prepare: async ({ attacker }) => {
    const answer = await attacker.once('GET', '/roles?limit=100');
    const [role] = (JSON.parse(answer.text) as { data: { id: string }[] }).data;
    return async (signal) => {
      for (let n = 0; n < 200 && !signal.aborted; n += 1) {
        await attacker.once('POST', '/members', { email: `guest${n}@attacker.example`, roleId: role?.id });
      }
    };
  },
  waits: async (stage) => {
    await addPeople(stage);
    const form = await formOf(stage.url, '/forgot-password');
    let asked = 0;
    const once = async () => {
      const email = addressOf((asked += 1));
      const startedAt = performance.now();
      const came = stage.smtp.letterTo(email);
      const { status } = await submit(form, { email });
      if (status < 400) await came;
      return { startedAt, endedAt: performance.now(), status };
    };
    return { name: 'letter of a reset', once };
  },
};

export const signIns: Vector = {
  name: 'sign-ins',
  description: 'wrong passwords over eight connections, each from another address for another person',
  env: behindProxy,
  prepare: async (stage) => {
    await addPeople(stage);
    const form = await formOf(stage.url, '/sign-in');
    let tried = 0;
    return over(8, () => submit(form, { email: addressOf((tried += 1)), password: 'not the right one' }));
  },
};
