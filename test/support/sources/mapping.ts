import type { DocumentContext, Fragment, MappingResult, Mapper } from '../../../src/sources/fragment.js';

/** What an envelope says of a response, for tests. */
export function contextOf({
  url,
  ...others
}: { url?: string } & Partial<Omit<DocumentContext, 'url'>>): DocumentContext {
  return { url: url === undefined ? null : new URL(url), request: null, fetchedAt: null, stream: null, ...others };
}

/** Reads what a mapper makes of documents of its source. */
export function reading(mapper: Mapper) {
  const map = (document: unknown, context: Parameters<typeof contextOf>[0] = {}): MappingResult =>
    mapper.map(document, contextOf(context));
  /** The fragments of one kind. */
  const of = <K extends Fragment['kind']>(kind: K, ...given: Parameters<typeof map>) =>
    map(...given).fragments.filter((fragment): fragment is Extract<Fragment, { kind: K }> => fragment.kind === kind);
  return {
    map,
    of,
    profile: (...given: Parameters<typeof map>) => of('profile', ...given)[0]?.known,
    content: (...given: Parameters<typeof map>) => of('content', ...given)[0]?.known,
    rejected: (...given: Parameters<typeof map>) =>
      of('rejected', ...given).map(({ path, reason }) => `${path}: ${reason}`),
    skipped: (...given: Parameters<typeof map>) => of('skipped', ...given).map(({ reason }) => reason),
  };
}
