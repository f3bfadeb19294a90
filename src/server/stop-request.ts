/** A supervisor sends SIGTERM, Ctrl-C SIGINT, a terminal that is closed SIGHUP. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Scripts of package.json whose shell is replaced by the service, so that npm is its parent. */
const NPM_SCRIPTS = ['start', 'start:prod'];

const PARENT_POLL_MS = 500;

const PARENT = process.ppid;

/**
 * Listens for requests to stop this process: a signal, or the end of the npm that started it.
 * @param stop called for the first of them; npm and a terminal may both send the same signal
 * @returns aborted by it
 */
export function listenForStop(environment: NodeJS.ProcessEnv, stop: (reason: string) => void): AbortSignal {
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => stop(String(stopping.signal.reason)));
  const request = (reason: string) => stopping.abort(reason);
  for (const signal of SIGNALS) process.on(signal, request);
  if (isStartedByNpm(environment)) {
    // npm forwards neither SIGHUP nor SIGKILL, and nobody else knows of this process.
    setInterval(() => process.ppid === PARENT || request('npm ended'), PARENT_POLL_MS).unref();
  }
  return stopping.signal;
}

/** Ends this process as the signal does by default; returns in the first process of a container, which outlives that. */
export function endBySignal(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

const isStartedByNpm = ({ npm_lifecycle_event: script, npm_package_name: name }: NodeJS.ProcessEnv): boolean =>
  name === 'creator-data' && NPM_SCRIPTS.includes(script ?? '');
