/** Operations by the names that prices and usage records use. */
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

/** Name of an operation; `unknown` stands for a path or method that does not exist. */
export type OperationName = (typeof OPERATIONS)[number];
