import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Looks before anything is created: a start that fails later would leave a database behind.
 *
 * @throws Error if another program listens there.
 */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} of ${host} is in use by another program. Stop that program, or set PORT to another port.`,
      {
        cause: error,
      },
    );
  }
  server.close();
  await once(server, 'close');
}
