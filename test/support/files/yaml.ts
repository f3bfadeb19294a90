import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll, YAML11_SCHEMA } from 'js-yaml';
import { ROOT } from './project-root.js';

/** The documents of a file of the project, as Kubernetes and Compose read them: `no` is false, `<<` merges. */
export const yamlDocuments = (path: string): unknown[] =>
  loadAll(readFileSync(join(ROOT, path), 'utf8'), { schema: YAML11_SCHEMA });
