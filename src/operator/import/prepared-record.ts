/** A record in its stored form. */
export interface PreparedRecord<R extends object = { readonly document: string }, S extends object = object> {
  readonly row: R;
  /** Rows of a second table: the games of a content item, the targets of social links. */
  readonly related: readonly S[];
}
