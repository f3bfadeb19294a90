import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ApiRequest } from '../../http/api-request.js';
import { createUnpricedReply, Reply } from '../../http/envelope/reply.js';
import { ApiDescription } from './api-description.js';
import { renderLlmsText } from './llms-text.js';

/** Serves `/llms.txt`. Public, because it contains no data. */
@ApiExcludeController()
@Controller('llms.txt')
export class LlmsController {
  #text: Buffer | null = null;

  constructor(private readonly description: ApiDescription) {}

  @Get()
  text(@Req() { context }: ApiRequest): Reply {
    const body = (this.#text ??= Buffer.from(renderLlmsText(this.description)));
    return createUnpricedReply(
      context,
      { status: 200, body, headers: [], itemsReturned: 0 },
      'text/plain; charset=utf-8',
    );
  }
}
