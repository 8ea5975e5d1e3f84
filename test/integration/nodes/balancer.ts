import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  body: string;
}

/** Sends requests to ready nodes in turn, over connections that it keeps. */
export class Balancer {
  private readonly agent = new Agent({ keepAlive: true });
  private ready: readonly string[] = [];
  private turn = 0;
  private probing: NodeJS.Timeout;

  private constructor(private readonly nodes: readonly string[]) {
    this.probing = setInterval(() => void this.probe(), 100);
  }

  static async over(nodes: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(nodes);
    await balancer.probe();
    return balancer;
  }

  /** @throws Error if there was no response; nothing is sent twice. */
  ask(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer> {
    this.turn += 1;
    const node = this.ready[this.turn % this.ready.length];
    return this.send(`${node}/api/v1${path}`, method, headers, body);
  }

  close(): void {
    clearInterval(this.probing);
    this.agent.destroy();
  }

  private async probe(): Promise<void> {
    const statuses = await Promise.all(
      this.nodes.map((node) => this.send(`${node}/readyz`, 'GET', {}).catch(() => ({ status: 0 }))),
    );
    this.ready = this.nodes.filter((_, index) => statuses[index]?.status === 200);
  }

  private send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const type = body && { 'content-type': 'application/json' };
      const asked = request(url, { agent: this.agent, method, headers: { ...headers, ...type } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode as number, body: text }));
        response.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(body && JSON.stringify(body));
    });
  }
}
