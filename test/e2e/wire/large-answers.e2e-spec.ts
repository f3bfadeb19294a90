import { connect } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { aContent, aProfile } from '../../support/records/builders.js';
import { differenceOf } from '../../support/http/difference.js';
import { present } from '../../support/present.js';
import { describeService } from '../../support/service/test-service.js';

/** Together larger than the socket buffers of a caller that does not read. */
const PROFILES = 60;
const ITEMS = 50;
const DESCRIPTION_CHARACTERS = 5000;

describeService('large answers', (service) => {
  const profiles = Array.from({ length: PROFILES }, () => aProfile());
  const pathOf = (id: string) => `/platforms/live_platform/profiles/${id}/content?limit=${ITEMS}`;
  /** All descriptions have one length, so that the memory of one answer fits another. */
  const descriptionOf = (profile: number, item: number) =>
    `${profile} ${item} `.padEnd(DESCRIPTION_CHARACTERS, `${profile}`);

  beforeAll(async () => {
    await service().load('profiles', ...profiles);
    const items = profiles.flatMap(({ id }, profile) =>
      Array.from({ length: ITEMS }, (_, item) =>
        aContent({ profile_id: id, description: descriptionOf(profile, item) }),
      ),
    );
    await service().load('content', ...items);
  });

  const payloadOf = async (id: string) => (await service().get(pathOf(id))).body.payload as unknown[];

  it('reach slow readers unchanged, while other requests are answered', async () => {
    const expected = await Promise.all(profiles.map(({ id }) => payloadOf(id)));
    const { hostname, port } = new URL(service().origin);
    const socket = connect(Number(port), hostname).pause();
    for (const { id } of profiles) {
      socket.write(`GET ${pathOf(id)} HTTP/1.1\r\nHost: test\r\nx-api-key: ${service().key}\r\n\r\n`);
    }
    const answers = readAnswers(socket);
    // Answers to other requests must not mix with these.
    for (const { id } of [...profiles].reverse()) {
      await Promise.all([payloadOf(id), payloadOf(id)]);
    }
    for (const payload of expected) {
      const { value } = await answers.next();
      expect(differenceOf(JSON.parse(String(value)).payload, payload)).toBeNull();
    }
    socket.destroy();
  }); // 60 MB are sent, read and compared

  it('are correct after other clients have disconnected in the middle of theirs', async () => {
    const [first, second] = [present(profiles[0]), present(profiles[1])];
    const { hostname, port } = new URL(service().origin);
    const expected = await payloadOf(second.id);
    for (let time = 0; time < 20; time += 1) {
      const socket = connect(Number(port), hostname);
      for (let count = 0; count < 10; count += 1) {
        socket.write(`GET ${pathOf(first.id)} HTTP/1.1\r\nHost: test\r\nx-api-key: ${service().key}\r\n\r\n`);
      }
      await new Promise((resolve) => socket.once('data', resolve));
      if (time % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
      expect(differenceOf(await payloadOf(second.id), expected)).toBeNull();
    }
  });
});

/** Reads the bodies of pipelined answers slowly. */
async function* readAnswers(socket: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const bodyAt = rest.indexOf('\r\n\r\n') + 4;
      const end = bodyAt + Number(/^content-length: (\d+)/im.exec(rest.toString('latin1', 0, bodyAt))?.[1]);
      if (bodyAt < 4 || rest.length < end) break;
      yield rest.subarray(bodyAt, end);
      rest = rest.subarray(end);
    }
  }
}
