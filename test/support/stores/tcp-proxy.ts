import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

/** Proxy between the service and a store, with which a test simulates outages of the store. */
export class TcpProxy {
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #silent = false;
  /** Number of new connections to close. */
  #toBreak = 0;
  #delayMs = 0;
  readonly #dueAt = new WeakMap<Socket, number>();
  #holding: string | null = null;
  #held: { readonly outer: Socket; readonly bytes: Buffer[] } | null = null;

  private constructor(
    private readonly target: { readonly host: string; readonly port: number },
    readonly port: number,
  ) {}

  /** @param url of the store, such as `redis://127.0.0.1:6379` */
  static async to(url: string, standardPort: number): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new TcpProxy({ host: hostname, port: Number(port || standardPort) }, await freePort());
    await proxy.restore();
    return proxy;
  }

  /** Returns the URL of the store through this proxy. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(this.port);
    return through.toString();
  }

  /** Closes all connections and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /**
   * Closes all connections, and resets the next ones when a request arrives. Not before: about one in 10,000 times,
   * `fetch` of Node.js 20 never settles after a reset before its request.
   * @param next their number
   */
  break(next: number): void {
    this.#toBreak = next;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Stops forwarding in both directions but keeps the connections, like a store that hangs. */
  hang(): void {
    this.#silent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Delays everything from now on. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /**
   * Holds back the next bytes to the store that contain a text, and everything after them on their connection, until
   * `release`. The bytes survive the death of the client, like those in the buffers of a hanging store.
   */
  hold(text: string): void {
    this.#holding = text;
  }

  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** Forwards the bytes that were held back. */
  release(): void {
    const { outer, bytes } = this.#held ?? {};
    this.#held = null;
    outer?.end(Buffer.concat(bytes ?? []));
  }

  /** Accepts connections and forwards again, after `cut` or `hang`. */
  async restore(): Promise<void> {
    if (this.#silent) {
      this.#silent = false;
      for (const socket of this.#sockets) socket.resume();
      return;
    }
    this.#server = createServer((inner) => {
      if (this.#toBreak > 0) {
        this.#toBreak -= 1;
        inner.once('data', () => inner.resetAndDestroy()).on('error', () => undefined);
      } else this.#join(inner, connect(this.target));
    });
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.cut();
  }

  #join(inner: Socket, outer: Socket): void {
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('data', (bytes: Buffer) => {
        if (other === outer && this.#isHeld(outer, bytes)) this.#held?.bytes.push(bytes);
        else this.#handOn(other, bytes);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (this.#held?.outer !== other) other.destroy();
      });
      if (this.#silent) socket.pause();
    }
  }

  /** Forwards bytes in order: never before bytes that were delayed earlier. */
  #handOn(other: Socket, bytes: Buffer): void {
    const now = performance.now();
    const due = Math.max(now + this.#delayMs, (this.#dueAt.get(other) ?? 0) + 1);
    if (this.#delayMs === 0 && due <= now + 1) {
      other.write(bytes);
      return;
    }
    this.#dueAt.set(other, due);
    setTimeout(() => other.write(bytes), due - now);
  }

  #isHeld(outer: Socket, bytes: Buffer): boolean {
    if (this.#holding !== null && bytes.includes(this.#holding)) {
      this.#holding = null;
      this.#held = { outer, bytes: [] };
    }
    return this.#held?.outer === outer;
  }
}
