import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Config } from '../model/config.js';

/** Connections that may wait to be accepted; `net.core.somaxconn` limits them, too. With Node's 511, the kernel resets connections of
 * a burst while the process is busy. */
const BACKLOG = 4096;

/** Explains why a server cannot listen. @param setting the variable of the port */
export const describeListenError = (setting: string, error: NodeJS.ErrnoException): string =>
  error.code === 'EADDRINUSE'
    ? `another process uses this port: stop it, or choose another ${setting} (${error.message})`
    : `${setting} and HOST must be an address to listen on: ${error.message}`;

/** Listens, and returns the URL. @throws Error that names the wrong settings */
export async function listen(server: Server, { port, host }: Pick<Config, 'port' | 'host'>): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(describeListenError('PORT', error))));
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const listening = server.address();
  const actualPort = typeof listening === 'object' && listening !== null ? listening.port : port;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${actualPort}`;
}
