import { createServer, type Server } from 'node:http';
import { describeListenError } from './listen.js';
import type { MetricsSource } from './metrics.js';

/** Serves Prometheus metrics on a separate port, which needs no key and should not be public.
 * @throws Error that names the wrong settings */
export async function serveMetrics(source: MetricsSource, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    source.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': source.contentType }).end(text),
      // A worker that is being replaced does not answer; the next scrape succeeds.
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(describeListenError('METRICS_PORT', error))));
    server.listen(port, host, resolve);
  });
  return server;
}
