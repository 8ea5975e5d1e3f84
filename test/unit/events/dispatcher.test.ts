import type { Claim, DueRow, Work } from '#jobs';
import { Dispatcher } from '../../../src/outside/webhooks/dispatcher.js';

const claim: Claim = { orgId: 'org_1', id: 'endpoint_1', fence: 1 };

/** What the work of one lane does for an endpoint without deliveries, in order. */
async function performed(lane: string, ending: AbortSignal): Promise<string[]> {
  const did: string[] = [];
  const claimsOf = (name: string) => ({
    work: name,
    take: () => Promise.resolve(claim),
    hold: (_: Claim, work: (over: AbortSignal) => Promise<void>) => work(new AbortController().signal),
    release: () => Promise.resolve(void did.push(`release ${name}`)),
  });
  const dispatch = {
    claims: { sound: claimsOf('sound'), failing: claimsOf('failing') },
    next: () => Promise.resolve([]),
    becomesDue: () => void did.push('becomes due'),
  };
  const works: Work<DueRow>[] = [];
  const jobs = { take: (work: Work<DueRow>) => void works.push(work) };
  const wakeUps = { listen: () => () => undefined };
  new Dispatcher(dispatch as never, {} as never, {} as never, wakeUps as never, jobs as never);
  await works.find(({ name }) => name === lane)?.perform(claim, ending);
  return did;
}

describe.each(['sound', 'failing'])('the work on %s endpoints', (lane) => {
  it('releases an endpoint to which everything was sent', async () => {
    expect(await performed(lane, new AbortController().signal)).toEqual([`release ${lane}`]);
  });

  it('lets another process continue with an endpoint whose turn ended before', async () => {
    expect(await performed(lane, AbortSignal.abort())).toEqual([`release ${lane}`, 'becomes due']);
  });
});
