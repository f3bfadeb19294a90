import { createServer, type Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { RequestCounts } from '../quota/request-counts.js';
import { UsageRecorder } from '../quota/usage-recorder.js';

/** Serves Prometheus metrics on a port of their own, which needs no key and should not be public. */
export async function startMetrics(app: INestApplication, port: number, host: string): Promise<Server> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counts = app.get(RequestCounts, { strict: false });
  const recorder = app.get(UsageRecorder, { strict: false });
  new Counter({
    name: 'creator_data_requests_total',
    help: 'Answered requests by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { operation, status, count } of counts.list()) this.inc({ operation, status }, count);
    },
  });
  new Gauge({
    name: 'creator_data_rejections_dropped',
    help: 'Records of requests without a valid key that were dropped because too many came at once',
    registers: [registry],
    collect() {
      this.set(recorder.droppedRejections);
    },
  });
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
