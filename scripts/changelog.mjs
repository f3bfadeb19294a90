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

/** Paragraph that begins a line with "To upgrade". */
const UPGRADE = /^To upgrade\b(?:.|\n(?!\n))*/m;

/**
 * Returns whether the entries of a version say what an upgrade must run: commands, or that nothing needs to be run.
 * @param {string} entries
 */
export const hasUpgradeNote = (entries) => /`[^`]+`|nothing needs to be run/.test(UPGRADE.exec(entries)?.[0] ?? '');

/**
 * Splits a changelog into its versions, newest first; "Unreleased" is one of them.
 * @param {string} changelog
 * @returns {{ version: string, entries: string }[]}
 */
export const listVersions = (changelog) =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return { version: heading.split(' ')[0] ?? '', entries: lines.join('\n').trim() };
    });
