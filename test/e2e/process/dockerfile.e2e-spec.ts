import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { validate, ValidationSeverity } from 'dockerfile-utils';
import { ROOT } from '../../support/files/project-root.js';

const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');

/** Every rule of the linter. */
const STRICT = Object.fromEntries(
  [
    'deprecatedMaintainer',
    'directiveCasing',
    'emptyContinuationLine',
    'instructionCasing',
    'instructionCmdMultiple',
    'instructionEntrypointMultiple',
    'instructionHealthcheckMultiple',
    'instructionJSONInSingleQuotes',
    'instructionWorkdirRelative',
  ].map((rule) => [rule, ValidationSeverity.ERROR]),
);

const problems = (text: string) => validate(text, STRICT).map(({ message }) => message);

describe('the Dockerfile', () => {
  it('passes the linter', () => {
    expect(problems(DOCKERFILE)).toEqual([]);
  });

  it.each([
    ['a misspelt instruction', DOCKERFILE.replace('EXPOSE', 'EXPSE')],
    ['a second command', `${DOCKERFILE}CMD ["node"]\n`],
    ['a relative folder', DOCKERFILE.replace('WORKDIR /app', 'WORKDIR app')],
  ])('is rejected by the linter with %s', (_what, text) => {
    expect(problems(text)).not.toEqual([]);
  });

  it('runs as an unprivileged user, with a health check and a volume for the data', () => {
    expect(DOCKERFILE).toMatch(/^USER node$/m);
    expect(DOCKERFILE).toMatch(/^HEALTHCHECK .*health\.mjs/m);
    expect(DOCKERFILE).toMatch(/^VOLUME \/app\/data$/m);
  });
});
