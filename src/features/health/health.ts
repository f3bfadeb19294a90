import { oneOf, shape } from '../../model/scalars.js';

const upOrDown = oneOf(['up', 'down']);

/** Schema of the answer of `GET /health`. */
export const healthSchema = shape({
  status: oneOf(['ok', 'unavailable']).describe('Whether requests can be served'),
  checks: shape({
    database: upOrDown.describe('Whether the database can be read'),
    usage: upOrDown.describe('Whether usage records can be made durable'),
    capacity: upOrDown.describe('`down` while requests are rejected for overload; does not change `status`'),
    search: upOrDown.describe(
      '`down` while the index of creators cannot be written, so that searches are answered 503; does not change `status`',
    ),
    redis: upOrDown
      .optional()
      .describe('Whether rate limits are shared between processes; absent without Redis; does not change `status`'),
  }).describe('Result of each check'),
}).describe('The state of the service');

/** Schema of the answer of `GET /health/live`. */
export const livenessSchema = shape({
  status: oneOf(['ok']).describe('Always ok if the process answers'),
  checks: shape({}).describe('Always empty: this endpoint checks no dependency'),
}).describe('The state of the process');
