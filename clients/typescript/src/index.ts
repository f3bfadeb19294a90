export { CreatorDataClient } from './generated/client.js';
export type { components, operations } from './generated/schema.js';
export type { AnswerDetails, Cost, RateLimit } from './answer.js';
export { ApiError, ConnectionFailedError, CreatorDataError, RequestTimeoutError } from './errors.js';
export type { AnswerCache, ClientOptions } from './transport.js';
export type * from './types.js';
