import { Injectable } from '@nestjs/common';

interface Route {
  readonly pattern: RegExp;
  readonly method: string;
}

/** Which methods a path knows, for `Allow`. */
@Injectable()
export class RouteTable {
  readonly #routes: Route[] = [];

  /** @param path an OpenAPI path, `/platforms/{platform}/content` */
  add(method: string, path: string): void {
    const pattern = path.replace(/\/$/, '').replace(/\{[^{}]+\}/g, '[^/]+');
    this.#routes.push({ pattern: new RegExp(`^${pattern}/?$`, 'i'), method: method.toUpperCase() });
  }

  /** @returns none for a path that does not exist */
  methodsOf(path: string): string[] {
    const methods = new Set<string>();
    for (const { pattern, method } of this.#routes) {
      if (!pattern.test(path)) continue;
      methods.add(method);
      if (method === 'GET') methods.add('HEAD');
    }
    return [...methods];
  }
}
