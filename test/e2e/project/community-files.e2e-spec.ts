import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { ROOT } from '../../support/files/project-root.js';
import { yamlDocuments } from '../../support/files/yaml.js';

const FORMS = '.github/ISSUE_TEMPLATE';
const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };

/** Attributes that GitHub accepts for each kind of field. */
const ATTRIBUTES = {
  markdown: { required: ['value'], properties: { value: text } },
  input: { required: ['label'], properties: { label: text, description: text, placeholder: text, value: text } },
  textarea: {
    required: ['label'],
    properties: { label: text, description: text, placeholder: text, value: text, render: text },
  },
  dropdown: {
    required: ['label', 'options'],
    properties: {
      label: text,
      description: text,
      multiple: flag,
      options: { type: 'array', items: text, minItems: 1, uniqueItems: true },
    },
  },
  checkboxes: {
    required: ['label', 'options'],
    properties: {
      label: text,
      description: text,
      options: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['label'],
          additionalProperties: false,
          properties: { label: text, required: flag },
        },
      },
    },
  },
};

const isForm = new Ajv().compile({
  type: 'object',
  required: ['name', 'description', 'body'],
  additionalProperties: false,
  properties: {
    name: text,
    description: text,
    title: text,
    labels: { type: 'array', items: text },
    body: {
      type: 'array',
      minItems: 1,
      items: {
        oneOf: Object.entries(ATTRIBUTES).map(([type, attributes]) => ({
          type: 'object',
          required: ['type', 'attributes'],
          additionalProperties: false,
          properties: {
            type: { const: type },
            id: { type: 'string', pattern: '^[\\w-]+$' },
            attributes: { type: 'object', additionalProperties: false, ...attributes },
            validations: { type: 'object', additionalProperties: false, properties: { required: flag } },
          },
        })),
      },
    },
  },
});

interface Form {
  readonly body: readonly { readonly id?: string; readonly attributes: object }[];
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const forms = readdirSync(join(ROOT, FORMS)).filter((name) => name !== 'config.yml');

describe('the issue forms', () => {
  it.each(forms)('%s is a valid form for GitHub', (name) => {
    const [form] = yamlDocuments(join(FORMS, name)) as [Form];
    expect([isForm(form), isForm.errors]).toEqual([true, null]);
    const ids = form.body.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['an unknown kind of field', { type: 'text', attributes: { label: 'x' } }],
    ['a field without a label', { type: 'input', attributes: {} }],
    ['an attribute that the field does not have', { type: 'input', attributes: { label: 'x', options: ['y'] } }],
  ])('are rejected with %s', (_what, field) => {
    const [form] = yamlDocuments(join(FORMS, 'bug.yml')) as [Form];
    expect(isForm({ ...form, body: [...form.body, field] })).toBe(false);
  });
});

describe('dependabot.yml', () => {
  interface Updates {
    readonly updates: readonly {
      readonly 'package-ecosystem': string;
      readonly groups?: object;
      readonly ignore?: readonly { readonly 'dependency-name': string; readonly 'update-types'?: readonly string[] }[];
    }[];
  }
  const [{ updates }] = yamlDocuments('.github/dependabot.yml') as [Updates];
  const ignored = updates.find((update) => update['package-ecosystem'] === 'npm')?.ignore ?? [];
  /** Names in the first column of the table in CONTRIBUTING.md. */
  const section = read('CONTRIBUTING.md').split('## Pinned packages')[1]?.split(/^## /m)[0] ?? '';
  const rows = [...section.matchAll(/^- (.*?) \((.*?)\):/gm)].map(([, names = '', held = '']) => ({
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    held,
  }));

  it('ignores exactly the packages that CONTRIBUTING.md lists as pinned', () => {
    const pinned = rows.flatMap(({ names, held }) => names.map((name) => [name, held === 'major version']));
    expect(pinned.length).toBeGreaterThan(5);
    expect(
      ignored.map(({ 'dependency-name': name, 'update-types': types }) => [
        name,
        types?.join() === 'version-update:semver-major',
      ]),
    ).toEqual(pinned);
  });

  it('ignores only packages that the project has', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, unknown>> };
    for (const { 'dependency-name': name } of ignored) expect(packages).toHaveProperty([`node_modules/${name}`]);
  });

  it('groups updates of packages and actions', () => {
    expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions', 'docker']);
    for (const update of updates.slice(0, 2)) expect(Object.keys(update.groups ?? {}).length).toBeGreaterThan(0);
  });
});

it('links in the pages for contributors lead to existing files and headings', () => {
  for (const page of ['CONTRIBUTING.md', 'CODE_OF_CONDUCT.md', 'SECURITY.md', 'README.md']) {
    for (const [, path = '', anchor = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)) {
      const file = path === '' ? page : path;
      expect([page, file, existsSync(join(ROOT, file))]).toEqual([page, file, true]);
      if (anchor === '') continue;
      const anchors = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(anchors).toContain(anchor);
    }
  }
});

it('.nvmrc names a version of Node.js that CI runs', () => {
  const [{ jobs }] = yamlDocuments('.github/workflows/ci.yml') as [
    { jobs: { test: { strategy: { matrix: { node: readonly number[] } } } } },
  ];
  expect(jobs.test.strategy.matrix.node).toContain(Number(read('.nvmrc')));
});
