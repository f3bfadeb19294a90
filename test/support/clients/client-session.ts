import { loadSampleData } from '../records/sample-data.js';
import { TestService } from '../service/test-service.js';
import { InstalledClient, type ClientDriver, type DriverOptions, type Language } from './installed-client.js';

/** A service with the sample data, and an installed client that calls it. */
export class ClientSession {
  readonly #drivers: ClientDriver[] = [];

  private constructor(
    readonly service: TestService,
    readonly client: InstalledClient,
  ) {}

  static async open(language: Language): Promise<ClientSession> {
    const service = await TestService.start('sqlite');
    await loadSampleData(service);
    return new ClientSession(service, await InstalledClient.install(language));
  }

  /** Starts a driver, which calls the service with its key unless the options say otherwise. */
  start(options: Partial<DriverOptions> = {}): ClientDriver {
    const driver = this.client.start({ baseUrl: this.service.origin, apiKey: this.service.key, ...options });
    this.#drivers.push(driver);
    return driver;
  }

  async close(): Promise<void> {
    await Promise.all(this.#drivers.map((driver) => driver.stop()));
    this.client.remove();
    await this.service.stop();
  }
}
