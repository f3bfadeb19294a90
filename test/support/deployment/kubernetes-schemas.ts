import { join } from 'node:path';
import * as typescript from 'typescript';
import { ROOT } from '../files/project-root.js';
import type { Manifest } from './kubernetes.js';

/** Path of a virtual file from which the types are resolved. */
const SOURCE = join(ROOT, 'test/manifests.ts');

interface Model {
  new (data: unknown): { validate(): void };
}

/** Validates a manifest by the schemas of Kubernetes, which permit unknown members. */
export async function schemaProblem(object: Manifest): Promise<string | null> {
  const models = (await import(`kubernetes-models/${object.apiVersion}`)) as Readonly<
    Record<string, Model | undefined>
  >;
  const Kind = models[object.kind];
  if (Kind === undefined) return `${object.apiVersion} has no ${object.kind}`;
  try {
    new Kind(object).validate();
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Checks manifests against the types generated from these schemas, which reject unknown members. */
export function typeProblems(objects: readonly Manifest[]): string[] {
  const text = objects
    .map(({ apiVersion, kind }, nth) => `import type { I${kind} as T${nth} } from 'kubernetes-models/${apiVersion}';\n`)
    .concat(objects.map((object, nth) => `export const x${nth}: T${nth} = ${JSON.stringify(object)};\n`))
    .join('');
  const options: typescript.CompilerOptions = {
    module: typescript.ModuleKind.NodeNext,
    moduleResolution: typescript.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const onDisk = typescript.createCompilerHost(options);
  const host: typescript.CompilerHost = {
    ...onDisk,
    fileExists: (path) => path === SOURCE || onDisk.fileExists(path),
    getSourceFile: (path, version) =>
      path === SOURCE ? typescript.createSourceFile(path, text, version) : onDisk.getSourceFile(path, version),
  };
  const program = typescript.createProgram([SOURCE], options, host);
  return typescript
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => typescript.flattenDiagnosticMessageText(messageText, '\n'));
}
