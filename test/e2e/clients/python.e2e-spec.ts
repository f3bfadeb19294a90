import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientSession } from '../../support/clients/client-session.js';
import { PYTHON } from '../../support/clients/installed-client.js';
import { itShowsWhatIsPrinted, outputsOf, programOf, readmeExamples } from '../../support/clients/readme.js';
import { ROOT } from '../../support/files/project-root.js';
import { present } from '../../support/present.js';

const SOURCE = join(ROOT, 'clients/python/src/creator_data_client');
const examples = readmeExamples('clients/python/README.md', 'python');

const describePython = PYTHON === null ? describe.skip : describe;

describePython('the package for PyPI', () => {
  let session: ClientSession;
  let printed: string[];
  const runText = (name: string, text: string) => {
    writeFileSync(join(session.client.folder, name), text);
    return session.client.run(name, { BASE: session.service.origin, KEY: session.service.key });
  };
  beforeAll(async () => {
    session = await ClientSession.open('Python');
    printed = outputsOf(
      await runText(
        'readme.py',
        programOf(examples, (text) => `print("${text}")`),
      ),
    );
  });
  afterAll(() => session.close());

  it('has its code, the mark of its type hints, and no dependency', () => {
    const modules = readdirSync(join(session.client.folder, 'site/creator_data_client')).filter(
      (name) => !name.startsWith('__pyc'),
    );
    expect(modules.toSorted()).toEqual(
      readdirSync(SOURCE)
        .filter((name) => !name.startsWith('__pyc'))
        .toSorted(),
    );
    const wheel = present(readdirSync(session.client.folder).find((name) => name.endsWith('.whl')));
    expect(wheel).toMatch(/^creator_data_client-[\d.]+-py3-none-any\.whl$/);
    const metadata = execFileSync(present(PYTHON), ['-m', 'zipfile', '-l', join(session.client.folder, wheel)], {
      encoding: 'utf8',
    });
    expect(metadata).toContain('py.typed');
  });

  itShowsWhatIsPrinted(examples, () => printed);

  it('is written for Python 3.9 and imports only the standard library', async () => {
    const program = `
import ast, pathlib, sys
trees = [ast.parse(file.read_text(), feature_version=(3, 9)) for file in pathlib.Path(${JSON.stringify(SOURCE)}).glob("*.py")]
nodes = [node for tree in trees for node in ast.walk(tree)]
absolute = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0]
named = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
print(sorted({name.split(".")[0] for name in absolute + named} - set(sys.stdlib_module_names)))`;
    expect(await runText('imports.py', program)).toBe('[]\n');
  });

  it('has status and request ID in the text of an error', async () => {
    const program = `
import os
from creator_data_client import ApiError, CreatorDataClient
try:
    CreatorDataClient(os.environ["BASE"], "wrong").usage.get()
except ApiError as error:
    print(str(error) == f"Invalid API key (status 403, request {error.request_id})", len(error.request_id))`;
    expect(await runText('error.py', program)).toBe('True 36\n');
  });

  it('may be shared by threads', async () => {
    const program = `
import os
from concurrent.futures import ThreadPoolExecutor
from creator_data_client import CreatorDataClient
client = CreatorDataClient(os.environ["BASE"], os.environ["KEY"])
def ask(nth):
    page = client.profiles.list(platform="live_platform", limit=1 + nth % 5)
    return len(page.payload) == 1 + nth % 5
with ThreadPoolExecutor(8) as pool:
    print(all(pool.map(ask, range(400))))`;
    expect(await runText('threads.py', program)).toBe('True\n');
  });

  it('serves requests of one thread over one connection', async () => {
    const program = `
import os
import sys
from creator_data_client import CreatorDataClient
connects = []
sys.addaudithook(lambda event, _: connects.append(event) if event == "socket.connect" else None)
client = CreatorDataClient(os.environ["BASE"], os.environ["KEY"])
for _ in range(10):
    client.usage.get()
    client.profiles.lookup(platform="live_platform", handles=("@lumen_vale",))
print(len(connects))`;
    expect(await runText('connections.py', program)).toBe('1\n');
  });
});
