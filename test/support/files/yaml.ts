import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll, YAML11_SCHEMA } from 'js-yaml';
import { ROOT } from './project-root.js';

/** Parses the YAML documents of a file as Kubernetes and Compose do: `no` is false, `<<` merges. */
export const yamlDocuments = (path: string): unknown[] =>
  loadAll(readFileSync(join(ROOT, path), 'utf8'), { schema: YAML11_SCHEMA });
