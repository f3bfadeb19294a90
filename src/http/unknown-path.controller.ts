import { All, Controller, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { badRequest, methodNotAllowed, unknownPath } from './api-error.js';
import { declareOperation } from '../model/operation.js';
import { ApiRequest } from './lean-express.adapter.js';
import { RouteTable } from './route-table.js';

/**
 * Every request that no endpoint takes ends here, behind the same guards: without a key it is a 401 like any other,
 * with one it counts and is recorded.
 */
@ApiExcludeController()
@Controller()
export class UnknownPathController {
  constructor(private readonly routes: RouteTable) {}

  @All('{*path}')
  @declareOperation({ name: 'unknown', takesQuery: true, takesBody: false })
  refuse(@Req() request: ApiRequest): never {
    if (request.context.malformedPath) throw badRequest('Path has a malformed percent-encoding');
    const allowed = this.routes.methodsOf(request.path);
    throw allowed.length > 0 ? methodNotAllowed(allowed) : unknownPath();
  }
}
