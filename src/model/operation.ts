/** Operations by the names that prices and usage records use. */
export const OPERATIONS = [
  'profiles.list',
  'profiles.batch',
  'profiles.lookup',
  'profiles.search',
  'profiles.get',
  'history.get',
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
  'changes.list',
  'games.changes',
  'usage.get',
  'unknown',
] as const;

/** Name of an operation; `unknown` stands for a path or method that does not exist. */
export type OperationName = (typeof OPERATIONS)[number];

/** Names of operations for people, such as the readers of an invoice. */
export const OPERATION_TITLES: Readonly<Record<OperationName, string>> = {
  'profiles.list': 'List of profiles',
  'profiles.batch': 'Batch of profiles',
  'profiles.lookup': 'Look-up of handles',
  'profiles.search': 'Search for creators',
  'profiles.get': 'Single profile look-up',
  'history.get': 'History of a creator',
  'content.list': 'List of content',
  'content.batch': 'Batch of content',
  'content.get': 'Single content look-up',
  'content.by_profile': 'Content of a creator',
  'content.by_game': 'Content of a game',
  'games.search': 'Game search',
  'games.get': 'Single game look-up',
  'analysis.get': 'Analysis of a creator',
  'audience.get': 'Analysis of an audience',
  'socials.get': 'Creator on other platforms',
  'email.get': 'E-mail address of a creator',
  'changes.list': 'Changes of creator data',
  'games.changes': 'Changes of games',
  'usage.get': 'Own usage',
  unknown: 'Request to an unknown path',
};
