import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { getRequestId } from '../pages/page-files.js';
import collection from './generated/postman.json' with { type: 'json' };

export const POSTMAN_PATH = '/postman.json';

/** Serves the Postman collection, with this service's own address as its base URL. Public, because it contains no data. */
export function servePostman(app: INestApplication): void {
  app.getHttpAdapter().get(POSTMAN_PATH, (request: Request, response: Response) => {
    const origin = `${request.protocol}://${request.get('host') ?? ''}`;
    const variable = collection.variable.map((each) => (each.key === 'baseUrl' ? { ...each, value: origin } : each));
    response.set({ 'Cache-Control': 'no-store', 'X-Request-Id': getRequestId(request) });
    response.json({ ...collection, variable });
  });
}
