import type { OpenAPIObject } from '@nestjs/swagger';
import { convertV2 } from 'openapi-to-postmanv2';
import { operationsOf } from './operations.js';
import { present } from '../present.js';

interface Parameter {
  readonly key: string;
  readonly value: unknown;
}

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: { readonly url: { readonly query?: readonly Parameter[] } };
  readonly response?: readonly { readonly code: number }[];
}

/** Where the collection asks, unless the service that it comes from says where it is. */
const BASE_URL = 'http://localhost:3000';

/** A Postman collection of a description whose every request is answered as it stands, once `apiKey` is set. */
export async function postmanCollectionOf(document: OpenAPIObject): Promise<object> {
  const converted = (await convert(document)) as { info: object; item: readonly Item[] };
  const collection = withoutIds({
    ...converted,
    item: converted.item.map((item) => completed(item, parametersWithExample(document))),
    variable: [
      { key: 'baseUrl', value: BASE_URL },
      { key: 'apiKey', value: '' },
    ],
  });
  return collection as object;
}

function convert(document: OpenAPIObject): Promise<object> {
  const options = {
    folderStrategy: 'Tags',
    parametersResolution: 'Example',
    requestParametersResolution: 'Example',
    exampleParametersResolution: 'Example',
    requestNameSource: 'Fallback',
  };
  return new Promise((resolve, reject) => {
    convertV2({ type: 'json', data: structuredClone(document) }, options, (error, { result, reason, output }) => {
      if (error === null && result) resolve(present(output?.[0]).data);
      else reject(error ?? new Error(reason));
    });
  });
}

/** By the name of the request: what of its query the description has a value for. */
function parametersWithExample(document: OpenAPIObject): ReadonlyMap<string, readonly string[]> {
  return new Map(
    operationsOf(document).map(({ summary, parameters }) => [
      summary,
      parameters.flatMap(({ name, example }) => (example === undefined ? [] : [name])),
    ]),
  );
}

/** With parameters switched off for which the converter made a value up, and of answers only the body of the success. */
function completed(item: Item, known: ReadonlyMap<string, readonly string[]>): Item {
  if (item.item !== undefined) return { ...item, item: item.item.map((inner) => completed(inner, known)) };
  const { request, response = [] } = item;
  const query = request?.url.query?.map((parameter) =>
    present(known.get(item.name)).includes(parameter.key) ? parameter : { ...parameter, value: '', disabled: true },
  );
  return {
    ...item,
    request: { ...present(request), url: { ...present(request).url, ...(query === undefined ? {} : { query }) } },
    response: response
      .filter(({ code }) => code === 200)
      .map((success) => ({ ...success, header: [], originalRequest: undefined })),
  };
}

/** The converter makes new IDs each time; a collection needs none. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (isRandomId(key, inner) ? undefined : inner)));
}

const isRandomId = (key: string, value: unknown): boolean =>
  (key === 'id' || key === '_postman_id') && typeof value === 'string' && /^[\da-f]{8}-(?:[\da-f]{4}-){3}/.test(value);
