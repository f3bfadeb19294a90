import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from '../pages/page-files.js';
import collection from './generated/postman.json' with { type: 'json' };

/** Where the Postman collection is. */
export const POSTMAN_PATH = '/postman.json';

/** Serves the collection, which asks where it was fetched from. No key: it holds nothing of the data. */
export function servePostman(app: INestApplication): void {
  app.getHttpAdapter().get(POSTMAN_PATH, (request: Request, response: Response) => {
    const origin = `${request.protocol}://${request.get('host') ?? ''}`;
    const variable = collection.variable.map((one) => (one.key === 'baseUrl' ? { ...one, value: origin } : one));
    response.set({ 'Cache-Control': 'no-store', 'X-Request-Id': requestIdOf(request) });
    response.json({ ...collection, variable });
  });
}
