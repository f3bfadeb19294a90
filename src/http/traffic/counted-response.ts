import { ServerResponse, type IncomingMessage } from 'node:http';

/** Node's response, with what the service knows of its request. */
export class CountedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /**
   * A flag, because a set of responses would leak: V8 links a set's old hash table to the new one. Once a table is in the
   * old generation, all responses ever added would live until the next full garbage collection.
   */
  isInFlight = false;

  /** Whether the request came when the answers before it on its connection were sent. Its client was there then. */
  followsAnswer = false;
}
