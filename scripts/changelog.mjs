// @ts-check

const UNRELEASED = /^## Unreleased\n+((?:(?!## )[^\n]*\n+)*)/m;

/** Returns the entries under "Unreleased"; '' if there is none. @param {string} changelog */
export const unreleasedEntries = (changelog) => (UNRELEASED.exec(changelog)?.[1] ?? '').trim();

/**
 * Moves the entries under "Unreleased" to a version.
 * @param {string} changelog
 * @param {string} version
 * @param {string} date as YYYY-MM-DD
 */
export function withRelease(changelog, version, date) {
  const entries = unreleasedEntries(changelog);
  return changelog.replace(UNRELEASED, () => `## Unreleased\n\n## ${version} - ${date}\n\n${entries}\n\n`);
}
