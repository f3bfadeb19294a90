import { ServerResponse, type IncomingMessage } from 'node:http';

/** Node's response, and whether it is counted. */
export class CountedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /**
   * Whether it is counted as in flight. A flag instead of a set of responses: V8 links a set's old table to the next, so
   * once one was in the old generation, all responses ever put in would live until the next full collection.
   */
  isInFlight = false;
}
