// @ts-check

/** First comment of every generated file. */
export const NOTICE = 'Generated from docs/openapi.json by `npm run openapi`. Do not edit.';
