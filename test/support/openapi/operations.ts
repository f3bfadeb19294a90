import type { OpenAPIObject } from '@nestjs/swagger';
import { OPERATIONS, type OperationName } from '../../../src/model/operation.js';
import { DescribedSchemas } from './described-schemas.js';
import { aContent, aProfile, liveGame, uniqueId } from '../records/builders.js';
import type { TestService } from '../service/test-service.js';

/** Every operation that needs a key; the description must list exactly these. */
export const OPERATION_IDS = OPERATIONS.filter((name): name is Exclude<OperationName, 'unknown'> => name !== 'unknown');

/** A parameter in the description. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly enum?: readonly string[]; readonly default?: unknown };
  readonly example?: unknown;
}

/** An operation in the description. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Names of the members of the body; empty without a body. */
  readonly bodyMembers: readonly string[];
  /** Example body for which the sample data has an answer. */
  readonly bodyExample: object | undefined;
  /** Pointer to the schema of the 200 response inside the document. */
  readonly successPointer: string;
  readonly needsKey: boolean;
}

/** A request that can be sent. */
export interface Sendable {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** Lists the operations of a description, in its order. */
export function operationsOf(document: OpenAPIObject): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const pointer = path.replaceAll('~', '~0').replaceAll('/', '~1');
      return {
        operationId: String(operation.operationId),
        summary: operation.summary ?? '',
        method: method === 'get' ? 'GET' : 'POST',
        path,
        parameters: (operation.parameters ?? []) as unknown as Parameter[],
        bodyMembers: bodyMembers(document, operation.requestBody),
        bodyExample: jsonOf(operation.requestBody)?.example,
        successPointer: `#/paths/${pointer}/${method}/responses/200/content/application~1json/schema`,
        needsKey: (operation.security ?? []).length > 0,
      } as const;
    }),
  );
}

export class Description {
  readonly operations: readonly DescribedOperation[];
  readonly #schemas: DescribedSchemas;

  private constructor(document: OpenAPIObject) {
    this.operations = operationsOf(document);
    this.#schemas = new DescribedSchemas(document);
  }

  static async of(service: TestService): Promise<Description> {
    const { status, body } = await service.request('/openapi.json', { headers: { 'x-api-key': '' } });
    if (status !== 200) throw new Error(`/openapi.json answered ${status}`);
    return new Description(body as OpenAPIObject);
  }

  operation(id: string): DescribedOperation {
    const operation = this.operations.find(({ operationId }) => operationId === id);
    if (operation === undefined) throw new Error(`operation not described: ${id}`);
    return operation;
  }

  /** Lists the differences between the body of a success and its description. */
  problemsOfSuccess({ successPointer }: DescribedOperation, body: unknown): unknown[] {
    return this.#schemas.problems(successPointer, body);
  }

  problemsOfError(body: unknown): unknown[] {
    return this.#schemas.problems('#/components/schemas/Error', body);
  }
}

function jsonOf(body: object | undefined): { readonly example?: object } | undefined {
  return (body as { content?: Record<string, object> } | undefined)?.content?.['application/json'];
}

function bodyMembers(document: OpenAPIObject, requestBody: unknown): string[] {
  const text = JSON.stringify(requestBody ?? {});
  const name = /#\/components\/schemas\/(\w+)/.exec(text)?.[1];
  const schema = name === undefined ? undefined : document.components?.schemas?.[name];
  return Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
}

/** Loads a creator, an item and a game with all their documents, all under one ID. */
export async function loadOneOfEach(service: TestService): Promise<string> {
  const id = uniqueId();
  const key = { platform_id: 'live_platform', profile_id: id };
  await service.load('profiles', aProfile({ id, name: id }));
  await service.load('content', aContent({ content_id: id, profile_id: id, categories: [liveGame(id)] }));
  await service.load('games', { id, name: `Game ${id}`, live_platform_id: id, video_platform_id: id });
  await service.load('analysis', { ...key, analysis: ANALYSIS });
  await service.load('audience', { ...key, last_updated_at: '2026-01-31T09:30:00.000Z', audience: AUDIENCE });
  await service.load('socials', { ...key, links: [{ id, platform_id: 'video_platform' }] });
  await service.load('emails', { ...key, email: `${id}@example.com` });
  return id;
}

export const ANALYSIS = {
  channel_type: 'person',
  age_range: '25-34',
  primary_language: 'en',
  mpaa: { rating: 'PG', reason: 'mild' },
  biography: '',
  primary_classification: { topic: 't', category: 'c', reason: 'r' },
  family: { has_children: false, relationship_status: 'unknown' },
  appearance: { shows_face: true, is_vtuber: false, is_ai_generated_influencer: false },
  background: { original_motivation: 'fun' },
  business: {},
};

const AUDIENCE = {
  gender_distribution: { male: { percentage: 60.5 }, female: { percentage: 38 }, non_binary: { percentage: 1.5 } },
  community_health: { loyalty_score: 0.5, cohesion_score: 1, toxicity_score: 0 },
  brand_safety: { overall_risk_level: 0.25 },
};

/** Query parameters that an operation requires, or needs to find what `loadOneOfEach` loads. */
export const NEEDED_QUERY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'games.search': { query: 'game' },
  // The days of the builders' profiles.
  'history.get': { start_date: '2026-01-01', end_date: '2026-01-31' },
  'changes.list': { kind: 'profiles' },
};

/** Returns the members of a body that asks for data about `id`. */
export const bodyOf = (
  { operationId, bodyMembers }: DescribedOperation,
  id: string,
): Readonly<Record<string, unknown>> =>
  operationId === 'profiles.search' ? { text: id } : Object.fromEntries(bodyMembers.map((name) => [name, [id]]));

/** Replacements for valid values. */
export interface Replacement {
  /** Path parameters and members of the body by name; a path parameter is inserted without encoding. */
  readonly path?: Readonly<Record<string, string>>;
  /** Query string, sent unchanged. */
  readonly query?: string;
  /** Body, sent unchanged. */
  readonly body?: string;
}

/** Creates a request that returns data about `id`, apart from its replacements. */
export function requestOf(operation: DescribedOperation, id: string, replacement: Replacement = {}): Sendable {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return replacement.path?.[name] ?? (name === 'platform' ? 'live_platform' : id);
  });
  const needed = new URLSearchParams(NEEDED_QUERY[operation.operationId] ?? {}).toString();
  const query = replacement.query ?? needed;
  return {
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    ...(operation.method === 'POST' ? { body: replacement.body ?? JSON.stringify(bodyOf(operation, id)) } : {}),
  };
}

/** Sends a request of an operation. */
export function sendOperation(
  service: TestService,
  { method, path, body }: Sendable,
  headers: Record<string, string> = {},
) {
  return service.request(path, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
  });
}
