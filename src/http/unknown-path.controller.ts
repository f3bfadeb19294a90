import { All, Controller, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { fixedError, methodNotAllowed } from './errors/api-error.js';
import { ENDPOINT } from './envelope/endpoint.js';
import type { EndpointRules } from './envelope/endpoint-rules.js';
import { RequestPath } from './request.params.js';
import { RouteTable } from './route-table.js';

const UNKNOWN: EndpointRules = { operation: 'unknown', meta: [] };

/** Answers requests that match no endpoint. The usual guards run first, so these requests need a key, count towards its
 * limit and are recorded. */
@ApiExcludeController()
@Controller()
export class UnknownPathController {
  constructor(private readonly routes: RouteTable) {}

  @All('{*path}')
  @SetMetadata(ENDPOINT, UNKNOWN)
  reject(@RequestPath() path: string): never {
    const allowed = this.routes.findMethods(path);
    throw allowed.length > 0 ? methodNotAllowed(allowed) : fixedError('path_not_found');
  }
}
