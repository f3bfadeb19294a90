import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

const HEADER_BYTES = 12;
const TYPE_A = 1;

/**
 * A DNS server on 127.0.0.1 that returns the same addresses for every name, as Docker's does for the replicas of a
 * service.
 */
export class DnsServer {
  private constructor(
    private readonly socket: Socket,
    private readonly addresses: readonly string[],
  ) {
    socket.on('message', (question, from) => this.#answer(question, from));
  }

  static async start(addresses: readonly string[]): Promise<DnsServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket, addresses);
  }

  get port(): number {
    return this.socket.address().port;
  }

  stop(): void {
    this.socket.close();
  }

  #answer(question: Buffer, { port, address }: RemoteInfo): void {
    // The name ends with an empty label; type and class follow.
    const typeAt = question.indexOf(0, HEADER_BYTES) + 1;
    const asked = question.subarray(HEADER_BYTES, typeAt + 4);
    const found = question.readUInt16BE(typeAt) === TYPE_A ? this.addresses : [];
    const header = Buffer.alloc(HEADER_BYTES);
    question.copy(header, 0, 0, 2);
    // Flags of a successful response.
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(found.length, 6);
    this.socket.send(Buffer.concat([header, asked, ...found.map(record)]), port, address);
  }
}

/** Formats an A record for the name in the question, valid for a second. */
const record = (address: string): Buffer =>
  Buffer.from([0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4, ...address.split('.').map(Number)]);
