/** The part of the package that the tests use; its own types lack most of it. */
declare module 'postman-collection' {
  interface PropertyList<T> {
    all(): T[];
  }
  interface Variables {
    get(key: string): unknown;
    upsert(variable: { readonly key: string; readonly value: string }): void;
    replace(text: string): string;
  }
  export interface Item {
    readonly name: string;
    readonly request: {
      readonly method: string;
      readonly url: {
        getHost(): string;
        getPathWithQuery(): string;
        readonly query: PropertyList<{
          readonly key: string;
          readonly value: string | null;
          readonly disabled?: boolean;
        }>;
      };
      readonly headers: PropertyList<{ readonly key: string; readonly value: string }>;
      readonly body?: { isEmpty(): boolean; toString(): string };
      readonly auth?: { parameters(): { get(key: string): unknown } };
    };
  }
  export interface ItemGroup {
    readonly items: PropertyList<Item | ItemGroup>;
  }
  export class Collection implements ItemGroup {
    constructor(definition: object);
    readonly items: PropertyList<Item | ItemGroup>;
    readonly variables: Variables;
  }
}
