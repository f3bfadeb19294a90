/** Injection token of the pino logger. Log requests by their ID; never log an API key. */
export const LOGGER = Symbol('logger');
