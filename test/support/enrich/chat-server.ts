import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { anAnswer, type CreatorData } from './answers.js';

/** Body of a request to the server. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly strict: boolean; readonly schema: object };
  };
  readonly tools?: unknown;
}

/** A request that the server got. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: ChatRequest;
  /** The creator's data between the delimiters. */
  readonly data: CreatorData;
  /** Whether it asks to correct an answer. */
  readonly isRepair: boolean;
}

/** How the server behaves: `content` is the text of an answer; anything else is sent as it is, or not at all. */
export type Behaviour =
  | { readonly content: unknown; readonly finish?: string; readonly refusal?: string; readonly usage?: object | null }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly hangs: true }
  | { readonly cuts: true };

type Behave = (request: SeenRequest, index: number) => Behaviour | Promise<Behaviour>;

/** Usage of every answer that names none. Far below what is reserved. */
export const USAGE = { prompt_tokens: 1000, completion_tokens: 500 };

/** A server that plays an endpoint of the chat-completions protocol, and all its misbehaviour. */
export class ChatServer {
  readonly requests: SeenRequest[] = [];
  /** Tokens of all answers, as the account of a vendor would have them. */
  charged = 0;
  inFlight = 0;
  mostInFlight = 0;
  behave: Behave = ({ data }) => ({ content: anAnswer(data) });
  readonly #held: ServerResponse[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ChatServer> {
    const server = createServer();
    const chat = new ChatServer(server);
    server.on('request', (request, response) => void chat.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return chat;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Settings with which a command uses this server. The prices make a token cost a millionth. */
  get settings(): Record<string, string> {
    return {
      ENRICH_BASE_URL: `http://${this.host}/v1`,
      ENRICH_API_KEY: 'sk-secret-of-the-test',
      ENRICH_MODEL: 'test-model',
      ENRICH_INPUT_PRICE: '1',
      ENRICH_OUTPUT_PRICE: '1',
    };
  }

  reset(): void {
    this.requests.length = 0;
    this.charged = 0;
    this.mostInFlight = 0;
    this.behave = ({ data }) => ({ content: anAnswer(data) });
  }

  async stop(): Promise<void> {
    for (const response of this.#held) response.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    response.once('close', () => (this.inFlight -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const seen = readRequest(request, Buffer.concat(chunks).toString());
    this.requests.push(seen);
    const behaviour = await this.behave(seen, this.requests.length - 1);
    if ('hangs' in behaviour) this.#held.push(response);
    else if ('cuts' in behaviour) response.destroy();
    else if ('status' in behaviour) {
      const { status, body = { error: { message: 'no' } }, headers = {} } = behaviour;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    } else {
      const { content, finish = 'stop', refusal = null, usage = USAGE } = behaviour;
      const { prompt_tokens = 0, completion_tokens = 0 } = (usage ?? {}) as Partial<typeof USAGE>;
      this.charged += prompt_tokens + completion_tokens;
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      const choice = { index: 0, finish_reason: finish, message: { role: 'assistant', content: text, refusal } };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ object: 'chat.completion', choices: [choice], ...(usage === null ? {} : { usage }) }),
      );
    }
  }
}

function readRequest({ url = '', headers }: IncomingMessage, text: string): SeenRequest {
  const body = (text === '' ? { messages: [] } : JSON.parse(text)) as ChatRequest;
  const data = /<creator_data>\n(.*)\n<\/creator_data>/.exec(body.messages[1]?.content ?? '')?.[1] ?? 'null';
  return {
    path: url,
    headers,
    text,
    body,
    data: JSON.parse(data) as CreatorData,
    isRepair: body.messages.length > 2,
  };
}
