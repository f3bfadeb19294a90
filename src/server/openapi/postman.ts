import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { getRequestId } from '../pages/page-files.js';
import collection from './generated/postman.json' with { type: 'json' };

export const POSTMAN_PATH = '/postman.json';

/** Stands for the base URL in the text of the collection. */
const BASE_URL = 'https://base-url.invalid';

/** Serves the Postman collection, with this service's own address as its base URL. Public, because it contains no data. The
 * text is made once: making it for each request would let callers without a key use much CPU. */
export function servePostman(app: INestApplication): void {
  const variable = collection.variable.map((each) => (each.key === 'baseUrl' ? { ...each, value: BASE_URL } : each));
  const [before = '', after = ''] = JSON.stringify({ ...collection, variable }).split(JSON.stringify(BASE_URL));
  const [start, end] = [Buffer.from(before), Buffer.from(after)];
  app.getHttpAdapter().get(POSTMAN_PATH, (request: Request, response: Response) => {
    const origin = `${request.protocol}://${request.get('host') ?? ''}`;
    // Compressing it for each request would take ten times as long as answering one.
    response.set({ 'Cache-Control': 'no-store, no-transform', 'X-Request-Id': getRequestId(request) });
    response.type('json').send(Buffer.concat([start, Buffer.from(JSON.stringify(origin)), end]));
  });
}
