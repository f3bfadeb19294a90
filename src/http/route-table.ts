import { Injectable } from '@nestjs/common';

interface Route {
  readonly pattern: RegExp;
  readonly method: string;
}

/** Methods of each path, for `Allow`. */
@Injectable()
export class RouteTable {
  readonly #routes: Route[] = [];

  /** @param path an OpenAPI path, such as `/platforms/{platform}/content` */
  add(method: string, path: string): void {
    const pattern = path.replace(/\/$/, '').replace(/\{[^{}]+\}/g, '[^/]+');
    this.#routes.push({ pattern: new RegExp(`^${pattern}/?$`, 'i'), method: method.toUpperCase() });
  }

  /** Finds the methods of a request's path; none if no route matches. */
  findMethods(path: string): string[] {
    const methods = new Set<string>();
    for (const { pattern, method } of this.#routes) {
      if (!pattern.test(path)) continue;
      methods.add(method);
      if (method === 'GET') methods.add('HEAD');
    }
    return [...methods];
  }
}
