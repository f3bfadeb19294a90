import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the kernel gives to port 0 and to clients, so that none of them takes one that was just freed. */
const FIRST_PORT = 20_000;
const END_PORT = 32_000;

/** Finds an unused port, for programs that cannot bind to port 0. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, END_PORT);
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
