import { setTimeout as delay } from 'node:timers/promises';
import { httpRequest, type Answer } from '../http/request.js';
import { ServiceProcess } from '../process/processes.js';
import type { TestDatabase } from '../stores/test-database.js';
import { until } from '../until.js';
import type { Answering } from './mirror.js';
import type { Random } from './random-records.js';

/** Time between two kills. */
const KILL_AFTER_MS = [1000, 5000] as const;

/** One in so many is stopped instead of killed. */
const STOP_ONE_IN = 4;

/** Maximum time in which a client gets an answer. */
const ANSWER_WITHIN_MS = 60_000;

/** Services over one database that are killed at random and started again. A client asks them in turn, and again after an error. */
export class KilledServices implements Answering {
  kills = 0;
  #asked = 0;
  #isOver = false;
  readonly #killing: Promise<void>;

  private constructor(
    private readonly database: TestDatabase,
    private readonly services: ServiceProcess[],
    private readonly key: string,
    private readonly random: Random,
  ) {
    this.#killing = this.#killSome();
    // `stop` reports it.
    this.#killing.catch(() => undefined);
  }

  static async start(database: TestDatabase, count: number, key: string, random: Random): Promise<KilledServices> {
    const services = [];
    for (let nth = 0; nth < count; nth += 1) services.push(await startService(database));
    return new KilledServices(database, services, key, random);
  }

  /** Asks until a service answers: while one is down, or the store is busy, a client tries again. */
  async get(path: string): Promise<Answer> {
    let answer: Answer | null = null;
    await until(`an answer to ${path}`, async () => (answer = await this.#ask(path)) !== null, ANSWER_WITHIN_MS);
    if (answer === null) throw new Error('no answer');
    return answer;
  }

  /** Ends the kills, and waits until all services run. */
  async endKills(): Promise<void> {
    this.#isOver = true;
    await this.#killing;
  }

  async stop(): Promise<void> {
    await this.endKills();
    await Promise.all(this.services.map((service) => service.stop()));
  }

  async #ask(path: string): Promise<Answer | null> {
    this.#asked += 1;
    const { origin } = this.services[this.#asked % this.services.length] ?? { origin: '' };
    const answer = await httpRequest(origin, path, { headers: { 'x-api-key': this.key } }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === undefined) throw error;
        return null;
      },
    );
    return answer?.status === 503 ? null : answer;
  }

  async #killSome(): Promise<void> {
    const [earliest, latest] = KILL_AFTER_MS;
    for (;;) {
      await delay(earliest + this.random(latest - earliest));
      if (this.#isOver) return;
      const nth = this.random(this.services.length);
      await this.services[nth]?.stop(this.random(STOP_ONE_IN) === 0 ? 'SIGTERM' : 'SIGKILL');
      this.services[nth] = await startService(this.database);
      this.kills += 1;
    }
  }
}

const startService = ({ url, folder }: TestDatabase): Promise<ServiceProcess> =>
  ServiceProcess.start({ DATABASE_URL: url, DATA_DIR: folder });
