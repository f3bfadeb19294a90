/** Documents ready to be sent, in their order: each for itself, or all in one piece. */
export type DocumentList = readonly Buffer[] | JoinedDocuments;

/** Documents in one piece with a comma between each two, as the embedded database hands them out and answers list them. */
export class JoinedDocuments {
  /**
   * @param bytes the only ones in use of their memory, so that it can be given back once they are sent
   * @param length number of documents, 1 or more
   */
  constructor(
    readonly bytes: Buffer,
    readonly length: number,
  ) {}
}
