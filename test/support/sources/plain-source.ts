import type { Fragment, MappingResult, Mapper } from '../../../src/sources/fragment.js';

/** A document that lists the fragments that its mapper makes. */
export interface PlainDocument {
  readonly plain: readonly unknown[];
  readonly unknown?: readonly string[];
}

const INSTANTS: ReadonlySet<string> = new Set(['observedAt', 'at']);

/** A source whose documents list fragments, for tests of what happens to fragments. */
export const PLAIN_SOURCE: Mapper = {
  source: 'plain',
  recognises: (document) => 'plain' in (document as object),
  map(document, { fetchedAt }): MappingResult {
    const { plain, unknown = [] } = document as PlainDocument;
    const revived = JSON.parse(JSON.stringify(plain), (name, value: unknown) =>
      INSTANTS.has(name) && typeof value === 'string' ? new Date(value) : value,
    ) as Fragment[];
    const dated = revived.map((fragment) =>
      'observedAt' in fragment && fragment.observedAt === null ? { ...fragment, observedAt: fetchedAt } : fragment,
    );
    return { fragments: dated, unknownMembers: unknown };
  },
};

/** A second source, for documents of different sources. */
export const OTHER_SOURCE: Mapper = {
  source: 'other',
  recognises: (document) => 'other' in (document as object),
  map: () => ({ fragments: [{ kind: 'skipped', reason: 'other' }], unknownMembers: [] }),
};
