import { All, Controller, Req, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { badRequest, methodNotAllowed, unknownPath } from './api-error.js';
import { ENDPOINT } from './envelope/endpoint.js';
import type { EndpointRules } from './envelope/endpoint-rules.js';
import { ApiRequest } from './api-request.js';
import { RouteTable } from './route-table.js';

const UNKNOWN: EndpointRules = { operation: 'unknown', asksFor: () => 0, meta: [] };

/**
 * Every request that no endpoint takes ends here, behind the same guards: without a key it is a 401 like any other,
 * with one it counts and is recorded.
 */
@ApiExcludeController()
@Controller()
export class UnknownPathController {
  constructor(private readonly routes: RouteTable) {}

  @All('{*path}')
  @SetMetadata(ENDPOINT, UNKNOWN)
  refuse(@Req() request: ApiRequest): never {
    if (request.context.malformedPath) throw badRequest('Path has a malformed percent-encoding');
    const allowed = this.routes.methodsOf(request.path);
    throw allowed.length > 0 ? methodNotAllowed(allowed) : unknownPath();
  }
}
