import { All, Controller, Inject, Req, Res, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { KeyGuard } from '../../features/auth/key.guard.js';
import { MinuteLimitGuard } from '../../features/quota/minute-limit.guard.js';
import { ApiError, AUTHENTICATE } from '../../http/errors/api-error.js';
import { ApiRequest, ApiResponse } from '../../http/api-request.js';
import { Reply } from '../../http/envelope/reply.js';
import { Clock } from '../../model/clock.js';
import { CONFIG, type Config } from '../../model/config.js';
import { LOGGER } from '../../model/logger.js';
import { ApiDescription } from './api-description.js';
import { ProcessBudgets, type Budgets } from './budgets.js';
import { Loopback } from './loopback.js';
import type { McpEndpoint } from './mcp-endpoint.js';

/**
 * Serves `/mcp`. Messages need a valid key, count towards its minute limit and are free. A tool call becomes a request, which
 * is counted, priced and recorded; its message is counted only if it is large. The SDK is loaded with the first message.
 */
@ApiExcludeController()
@Controller('mcp')
export class McpController implements BeforeApplicationShutdown {
  #loopback: Loopback | null = null;
  #endpoint: Promise<McpEndpoint> | null = null;
  #budgets: Promise<Budgets> | null = null;

  constructor(
    private readonly keys: KeyGuard,
    private readonly minute: MinuteLimitGuard,
    private readonly description: ApiDescription,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  @All()
  async answer(@Req() request: ApiRequest, @Res({ passthrough: true }) response: ApiResponse): Promise<Reply> {
    const key = readKey(request);
    const caller = await this.keys.authenticate(key, request).catch(asUnauthorized);
    this.#endpoint ??= this.#load();
    const reply = await (await this.#endpoint).answer(request, response, String(key), caller);
    request.context.endArrival();
    return reply;
  }

  /** Closes the idle connections of tool calls before the server closes, which would wait for them. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#loopback?.close();
    (await this.#budgets)?.disconnect();
  }

  async #load(): Promise<McpEndpoint> {
    const { McpEndpoint } = await import('./mcp-endpoint.js');
    this.#loopback = new Loopback(this.adapterHost.httpAdapter.getHttpServer() as Server);
    const budgets = () => (this.#budgets ??= this.#openBudgets());
    return new McpEndpoint(this.description, this.#loopback, budgets, this.minute, this.logger);
  }

  async #openBudgets(): Promise<Budgets> {
    const { redisUrl } = this.config;
    if (redisUrl === null) return new ProcessBudgets(this.clock);
    const { RedisBudgets } = await import('./redis-budgets.js');
    return RedisBudgets.connect(redisUrl, this.logger);
  }
}

/** Reads the key. Some clients can only send it as a bearer token. */
function readKey({ headers }: ApiRequest): string | readonly string[] | undefined {
  return headers['x-api-key'] ?? /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Answers an invalid key with 401 instead of 403, as MCP requires. */
function asUnauthorized(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 403) throw error;
  throw new ApiError(error.code, error.message, { status: 401, headers: AUTHENTICATE });
}
