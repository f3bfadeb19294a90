import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../../support/files/project-root.js';
import { yamlDocuments } from '../../support/files/yaml.js';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

describe('the version of the package', () => {
  it('equals that of the lock file, the newest release in the changelog and the Kubernetes image', () => {
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version, packages: { '': { version } } });
    expect(read('CHANGELOG.md').match(/^## \d.*$/m)?.[0]).toMatch(new RegExp(`^## ${version} - \\d{4}-\\d\\d-\\d\\d$`));
    const [{ images }] = yamlDocuments('deploy/kubernetes/kustomization.yaml') as [{ images: { newTag: string }[] }];
    expect(images.map(({ newTag }) => newTag)).toEqual([version]);
  });

  it('is independent of the version of the API, which is that of the reference', () => {
    expect(JSON.parse(read('docs/openapi.json'))).toMatchObject({ info: { version: '1.0.0' } });
    expect(version).not.toBe('1.0.0');
  });
});
