import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hasUpgradeNote, listVersions } from '../../../scripts/changelog.mjs';
import { ROOT } from '../../support/files/project-root.js';

describe('the changelog', () => {
  const versions = listVersions(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));

  it('has the released versions, newest first', () => {
    const released = versions.map(({ version }) => version).filter((version) => version !== 'Unreleased');
    expect(released.length).toBeGreaterThan(1);
    expect(released.at(-1)).toBe('1.0.0');
    expect(released).toEqual(released.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })));
  });

  it.each(versions.filter(({ entries }) => entries !== ''))(
    'says under $version what an upgrade must run, or that nothing needs to be run',
    ({ entries }) => {
      expect(hasUpgradeNote(entries)).toBe(true);
    },
  );
});
