/** What a request does, as the price table and the usage record name it. */
export const OPERATIONS = [
  'profiles.list',
  'profiles.batch',
  'profiles.lookup',
  'profiles.get',
  'content.list',
  'content.batch',
  'content.get',
  'content.by_profile',
  'content.by_game',
  'games.search',
  'games.get',
  'analysis.get',
  'audience.get',
  'socials.get',
  'email.get',
  'usage.get',
  'unknown',
] as const;

/** `unknown` is a request to a path or with a method that does not exist. */
export type OperationName = (typeof OPERATIONS)[number];
