/** Supervisors send SIGTERM, Ctrl-C sends SIGINT, and a closing terminal sends SIGHUP. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Scripts of package.json whose shell execs the service, so that npm is its parent process. */
const NPM_SCRIPTS = ['start', 'start:prod'];

const PARENT_POLL_MS = 500;

const PARENT = process.ppid;

/**
 * Listens for requests to stop this process: a signal, or the end of the npm process that started it.
 * @param stop called once; npm and a terminal may both send the same signal
 * @returns a signal that the first request aborts
 */
export function listenForStop(environment: NodeJS.ProcessEnv, stop: (reason: string) => void): AbortSignal {
  const stopping = new AbortController();
  stopping.signal.addEventListener('abort', () => stop(String(stopping.signal.reason)));
  const request = (reason: string) => stopping.abort(reason);
  for (const signal of SIGNALS) process.on(signal, request);
  if (isStartedByNpm(environment)) {
    // npm forwards neither SIGHUP nor SIGKILL, so poll for its end.
    setInterval(() => process.ppid === PARENT || request('npm ended'), PARENT_POLL_MS).unref();
  }
  return stopping.signal;
}

/** Ends this process with the signal's default action. Returns if it is PID 1 of a container, which ignores the signal. */
export function endBySignal(signal: NodeJS.Signals): void {
  for (const listener of process.listeners(signal)) process.off(signal, listener);
  process.kill(process.pid, signal);
}

const isStartedByNpm = ({ npm_lifecycle_event: script, npm_package_name: name }: NodeJS.ProcessEnv): boolean =>
  name === 'creator-data' && NPM_SCRIPTS.includes(script ?? '');
