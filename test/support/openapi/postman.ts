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

/** Default address of the collection, when its service does not supply its own. */
const BASE_URL = 'http://localhost:3000';

/** Converts a description into a Postman collection whose every request is answered once `apiKey` is set. */
export async function postmanCollectionOf(document: OpenAPIObject): Promise<object> {
  const converted = (await convertToPostman(document)) as { info: object; item: readonly Item[] };
  const collection = withoutIds({
    ...converted,
    item: converted.item.map((item) => completed(item, requiredParameters(document))),
    variable: [
      { key: 'baseUrl', value: BASE_URL },
      { key: 'apiKey', value: '' },
    ],
  });
  return collection as object;
}

/** Converts a description as anybody does with openapi-to-postmanv2, with its examples as values of parameters. */
export function convertToPostman(document: OpenAPIObject): Promise<object> {
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

/** Returns the required query parameters, by the name of their request. */
function requiredParameters(document: OpenAPIObject): ReadonlyMap<string, readonly string[]> {
  return new Map(
    operationsOf(document).map(({ summary, parameters }) => [
      summary,
      parameters.filter(({ required }) => required === true).map(({ name }) => name),
    ]),
  );
}

/** Disables optional parameters, whose examples fit the sample data only, and keeps only the success response, without
 * headers. */
function completed(item: Item, required: ReadonlyMap<string, readonly string[]>): Item {
  if (item.item !== undefined) return { ...item, item: item.item.map((inner) => completed(inner, required)) };
  const { request, response = [] } = item;
  const query = request?.url.query?.map((parameter) =>
    present(required.get(item.name)).includes(parameter.key) ? parameter : { ...parameter, disabled: true },
  );
  return {
    ...item,
    request: { ...present(request), url: { ...present(request).url, ...(query === undefined ? {} : { query }) } },
    response: response
      .filter(({ code }) => code === 200)
      .map((success) => ({ ...success, header: [], originalRequest: undefined })),
  };
}

/** Removes the IDs, which the converter generates anew each time. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (isRandomId(key, inner) ? undefined : inner)));
}

const isRandomId = (key: string, value: unknown): boolean =>
  (key === 'id' || key === '_postman_id') && typeof value === 'string' && /^[\da-f]{8}-(?:[\da-f]{4}-){3}/.test(value);
