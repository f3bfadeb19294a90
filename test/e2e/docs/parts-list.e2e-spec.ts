import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';

interface Part {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
}

interface PartsList {
  readonly metadata: { readonly component: Part & { readonly 'bom-ref': string } };
  readonly components: readonly (Part & { readonly 'bom-ref': string })[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

describe('the parts list of npm run sbom', () => {
  let list: PartsList;
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], { maxBuffer: 16 * 1024 * 1024 });
    list = JSON.parse(stdout) as PartsList;
  });

  it('is CycloneDX', () => {
    const component = { name: 'creator-data', type: 'application' };
    expect(list).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', metadata: { component } });
  });

  it('has every production package in its installed version', () => {
    // Some packages are installed in two versions.
    const parts = new Set(list.components.map(({ name, version }) => `${name} ${version}`));
    const direct = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
    expect(direct.filter((part) => !parts.has(part))).toEqual([]);
  });

  it('has no package that only tests use', () => {
    const names = list.components.map(({ name }) => name);
    for (const name of ['jest', 'oxlint', 'orval', '@redocly/openapi-core']) expect(names).not.toContain(name);
  });

  it('lists dependencies between packages by names that it defines', () => {
    const known = new Set([list.metadata.component, ...list.components].map((part) => part['bom-ref']));
    const named = list.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !known.has(ref))).toEqual([]);
    const ours = list.dependencies.find(({ ref }) => ref === list.metadata.component['bom-ref']);
    expect(ours?.dependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/^typeorm@/)]));
  });

  it('has a licence and an address for each package', () => {
    expect(list.components.length).toBeGreaterThan(Object.keys(dependencies).length);
    expect(list.components.filter(({ licenses = [] }) => licenses.length === 0).map(({ name }) => name)).toEqual([]);
    for (const { purl } of list.components) expect(purl).toMatch(/^pkg:npm\//);
  });
});
