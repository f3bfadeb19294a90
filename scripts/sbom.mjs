// @ts-check
// Prints the production packages as CycloneDX. npm's own `--omit dev` also omits production packages that a development
// package needs.
import { execFileSync } from 'node:child_process';
import { ROOT } from './prepare.mjs';

/**
 * Members that are used here of the list that npm prints.
 * @typedef {{ 'bom-ref': string, properties?: { name: string }[] }} Component
 * @typedef {{ ref: string, dependsOn?: string[] }} Dependency
 * @typedef {{ metadata: { component: Component & { name: string } }, components: Component[], dependencies: Dependency[] }} PartsList
 */

const command = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const output = execFileSync('npm', command, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const list = /** @type {PartsList} */ (JSON.parse(output));

const components = list.components.filter(
  ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
);
const { component } = list.metadata;
component.name = process.env.npm_package_name ?? component.name; // npm uses the name of the folder
const kept = new Set([component, ...components].map((part) => part['bom-ref']));
const dependencies = list.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));

console.log(JSON.stringify({ ...list, components, dependencies }, null, 2));
