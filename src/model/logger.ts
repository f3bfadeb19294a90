/** Injection token of the pino logger; what is logged about requests carries their ID, never their key. */
export const LOGGER = Symbol('logger');
