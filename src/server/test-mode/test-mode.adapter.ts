import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import type { ApiResponse } from '../../http/api-request.js';
import type { LeanExpressAdapter } from '../../http/node/lean-express.adapter.js';

/** Adapter of an application behind another one, which receives its requests and sends its replies. */
export class TestModeAdapter extends ExpressAdapter {
  constructor(private readonly front: LeanExpressAdapter) {
    super();
    const app = this.getInstance<Express>();
    const { request, response } = front.getInstance<Express>();
    // Express would give a request the prototypes of this application, which know nothing of the server's traffic.
    Object.assign(app, { request, response });
    app.disable('x-powered-by');
  }

  override reply(response: ApiResponse, reply: unknown, status?: number): void {
    this.front.reply(response, reply, status);
  }

  /** Leaves a request that no route matches to the application in front. */
  override setNotFoundHandler(): void {}
}
