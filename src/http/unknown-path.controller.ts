import { All, Controller, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { methodNotAllowed, unknownPath } from './api-error.js';
import { ENDPOINT } from './envelope/endpoint.js';
import type { EndpointRules } from './envelope/endpoint-rules.js';
import { AskedPath } from './request.params.js';
import { RouteTable } from './route-table.js';

const UNKNOWN: EndpointRules = { operation: 'unknown', meta: [] };

/** Every request that no endpoint takes ends here, behind the same guards: without a key it is a 401 like any other,
 * with one it counts and is recorded. */
@ApiExcludeController()
@Controller()
export class UnknownPathController {
  constructor(private readonly routes: RouteTable) {}

  @All('{*path}')
  @SetMetadata(ENDPOINT, UNKNOWN)
  refuse(@AskedPath() path: string): never {
    const allowed = this.routes.methodsOf(path);
    throw allowed.length > 0 ? methodNotAllowed(allowed) : unknownPath();
  }
}
