/** Returns whether an error says that the database user lacks a right on a table. */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === 'ER_TABLEACCESS_DENIED_ERROR';
