/** The address of a creator's page; undefined if the login is not known. */
export const pageOf = (login: string | null | undefined): string | null | undefined =>
  login && `https://www.twitch.tv/${login}`;

/** A game as the platform names it. The game database's own name and ID come from elsewhere. */
export function gameOf(gameId: string | null | undefined, name: string | null | undefined) {
  return gameId ? { id: gameId, name: name ?? null } : null;
}
