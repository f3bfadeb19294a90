import type { ApiRequest } from '../../http/api-request.js';
import { AwaitedInterceptor } from '../../http/awaited-interceptors.js';
import type { Answer } from '../../http/envelope/answer.js';
import type { EnvelopeInterceptor } from '../../http/envelope/envelope.interceptor.js';
import { Reply } from '../../http/envelope/reply.js';
import type { NullMembers } from './null-members.js';

/** Does what the service's own interceptor does, and before it what `X-Test-Answer: nulls` asks for. */
export class TestEnvelopeInterceptor extends AwaitedInterceptor {
  constructor(
    private readonly envelope: EnvelopeInterceptor,
    private readonly nullMembers: NullMembers,
  ) {
    super();
  }

  transform(request: ApiRequest, answer: Answer | Reply): Promise<Reply> {
    const { forced, endpoint } = request.context;
    if (forced?.name !== 'nulls' || endpoint === null || answer instanceof Reply) {
      return this.envelope.transform(request, answer);
    }
    return this.envelope.transform(request, this.nullMembers.apply(endpoint.operation, answer));
  }
}
