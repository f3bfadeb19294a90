/** Returns the URL of a creator's page; undefined if the login is unknown. */
export const channelUrl = (login: string | null | undefined): string | null | undefined =>
  login && `https://www.twitch.tv/${login}`;

/** Creates a game with the platform's name. The game database's own name and ID are added during assembly. */
export function createStreamGame(gameId: string | null | undefined, name: string | null | undefined) {
  return gameId ? { id: gameId, name: name ?? null } : null;
}
