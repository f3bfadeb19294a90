/** What a request does, as the price table and the usage record name it. */
export const OPERATIONS = [
  'profiles.list',
  'profiles.batch',
  'profiles.lookup',
  'profiles.get',
  'content.list',
  'content.batch',
  'content.get',
  'content.by_profile',
  'content.by_game',
  'games.search',
  'games.get',
  'analysis.get',
  'audience.get',
  'socials.get',
  'email.get',
  'usage.get',
  'unknown',
] as const;

/** `unknown` is a request to a path or with a method that does not exist. */
export type OperationName = (typeof OPERATIONS)[number];

/** What the guards need to know of an endpoint before its handler runs. */
export interface Operation {
  readonly name: OperationName;
  /** Whether the endpoint has query parameters; without, any parameter is unknown. */
  readonly takesQuery: boolean;
  readonly takesBody: boolean;
}

type Handler = (...args: never[]) => unknown;

const operations = new WeakMap<Handler, Operation>();

/** Marks a controller method; a method without an operation is open to everybody and not recorded. */
export function declareOperation(operation: Operation): MethodDecorator {
  return (_target, _name, descriptor) => {
    operations.set(descriptor.value as Handler, operation);
  };
}

/** @returns null for handlers that need no key: health and documentation */
export function operationOf(handler: Handler): Operation | null {
  return operations.get(handler) ?? null;
}
