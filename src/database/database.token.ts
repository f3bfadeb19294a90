/** Injection token of the `Database`. */
export const DATABASE = Symbol('database');
