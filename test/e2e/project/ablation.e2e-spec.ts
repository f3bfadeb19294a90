import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { edited, SWITCHES, type Switch } from '../../../bench/ablation/switches.mjs';
import { ROOT } from '../../support/files/project-root.js';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** Switches by which of them can be applied together. */
function compatibleGroups(): Map<string, string>[] {
  const groups: Map<string, string>[] = [];
  for (const one of SWITCHES) {
    const fits = groups.find((files) => isApplicable(one, files));
    const files = fits ?? new Map<string, string>();
    if (fits === undefined) groups.push(files);
    for (const [file, text] of edited(one, (name) => files.get(name) ?? read(name))) files.set(file, text);
  }
  return groups;
}

function isApplicable(one: Switch, files: ReadonlyMap<string, string>): boolean {
  try {
    edited(one, (name) => files.get(name) ?? read(name));
    return true;
  } catch {
    return false;
  }
}

/** Compiles the service with edited files in place of its own. */
function compileErrors(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.build.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  // An edit may leave a function or an import unused.
  const relaxed = { noEmit: true, noUnusedLocals: false, noUnusedParameters: false };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT, relaxed);
  const host = ts.createCompilerHost(options);
  const byPath = new Map(Array.from(files, ([file, text]) => [join(ROOT, file), text]));
  const readOwn = host.readFile.bind(host);
  host.readFile = (path) => byPath.get(path) ?? readOwn(path);
  const getOwn = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version, ...others) => {
    const text = byPath.get(path);
    return text === undefined ? getOwn(path, version, ...others) : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram(fileNames, options, host);
  const changed = program.getSourceFiles().filter(({ fileName }) => byPath.has(fileName));
  expect(changed).toHaveLength(byPath.size);
  return changed
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}

describe('the ablation benchmark', () => {
  it.each(SWITCHES)('can switch off "$name": its edits fit the source', (one) => {
    expect(() => edited(one, read)).not.toThrow();
  });

  it('names the switch, the file and the text of an edit that does not fit the source', () => {
    const outdated = {
      name: 'outdated',
      title: '',
      edits: [{ file: 'src/main.ts', find: 'no such text', replace: '' }],
    };
    expect(() => edited(outdated, read)).toThrow(
      'bench/ablation/switches.mjs, switch "outdated", does not fit the source:\nsrc/main.ts has 0 times, not once: "no such text"',
    );
  });

  it('edits the source so that it still compiles', () => {
    const errors = compatibleGroups().flatMap(compileErrors);
    expect(errors).toEqual([]);
  });
});
