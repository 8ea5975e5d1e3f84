import { connect } from 'node:net';

export interface RawReply {
  status: number;
  headers: Map<string, string>;
  body: string;
  /** Everything that arrived over the connection. */
  text: string;
}

/** Sends bytes that no HTTP client would, and reads the first response until the server ends the connection. */
export async function sendRaw(url: string, request: string | Buffer): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname);
    socket.setEncoding('utf8').setTimeout(10_000, () => socket.destroy(new Error(`No end of the answer: ${received}`)));
    socket.on('data', (chunk: string) => (received += chunk));
    // A server that ends the connection during a write resets it; what it sent before still counts.
    socket.on('error', (error) => (received ? resolve(received) : reject(error)));
    socket.on('end', () => resolve(received));
    socket.write(request);
  });
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, '')] as const);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(headers as [string, string][]),
    body: rest.join('\r\n\r\n'),
    text,
  };
}
