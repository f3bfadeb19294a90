import { oneOf, shape } from '../../model/scalars.js';

const upOrDown = oneOf(['up', 'down']);

/** Schema of the answer of `GET /health`. */
export const healthSchema = shape({
  status: oneOf(['ok', 'unavailable']).describe('Whether requests can be served'),
  checks: shape({
    database: upOrDown.describe('Whether the database can be read'),
    usage: upOrDown.describe('Whether usage records can be made durable'),
    capacity: upOrDown.describe('`down` while requests are rejected for overload, which leaves `status` as it is'),
    redis: upOrDown
      .optional()
      .describe('Whether the minute is shared between processes; absent without Redis, and `down` is not a failure'),
  }).describe('What was looked at'),
}).describe('The state of the service');

/** Schema of the answer of `GET /health/live`. */
export const livenessSchema = shape({
  status: oneOf(['ok']).describe('The process answers'),
  checks: shape({}).describe('Nothing is looked at'),
}).describe('The state of the process');
