import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { addExamples, type Examples } from '../../../src/server/openapi/examples.js';
import { ROOT } from '../../support/files/project-root.js';
import { renderGuide } from '../../support/openapi/guide.js';
import { recordExamples } from '../../support/openapi/examples.js';
import { postmanCollectionOf } from '../../support/openapi/postman.js';
import { loadSampleData } from '../../support/records/sample-data.js';
import { TestService } from '../../support/service/test-service.js';

/** `npm run openapi` writes the files instead of comparing them. */
const WRITES = process.env.WRITE_GENERATED !== undefined;

const textOf = (content: object): string => `${JSON.stringify(content, null, 2)}\n`;

/** Returns the expected contents: the committed file, or what was just written. */
function committed(file: string, content: object | string): string {
  const path = join(ROOT, file);
  if (WRITES) writeFileSync(path, typeof content === 'string' ? content : textOf(content));
  return readFileSync(path, 'utf8');
}

// Before the service starts, because it reads the page.
it('the page at /guide is rendered from docs/guide.md', () => {
  const page = renderGuide(readFileSync(join(ROOT, 'docs/guide.md'), 'utf8'));
  expect(committed('src/server/pages/assets/generated/guide.html', page)).toBe(page);
});

/** One database suffices, because the generated files must not depend on it. */
describe('what `npm run openapi` generates is up to date', () => {
  let service: TestService;
  let document: OpenAPIObject;
  let examples: Examples;
  beforeAll(async () => {
    service = await TestService.start('sqlite');
    await loadSampleData(service);
    document = (await service.get('/openapi.json')).body;
    examples = await recordExamples(service, document);
    if (WRITES) addExamples(document, examples);
  });
  afterAll(() => service.stop());

  it('the examples are requests and answers of the sample data', () => {
    expect(committed('src/server/openapi/generated/examples.json', examples)).toBe(textOf(examples));
  });

  it('the collection at /postman.json is the output of openapi-to-postmanv2 for the description', async () => {
    const collection = await postmanCollectionOf(document);
    expect(committed('src/server/openapi/generated/postman.json', collection)).toBe(textOf(collection));
  });

  it('docs/openapi.json is the document that the service serves', () => {
    expect(committed('docs/openapi.json', document)).toBe(textOf(document));
  });
});
