/** Aborted when somebody asks the process to stop. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  process.once('SIGINT', () => stopping.abort());
  process.once('SIGTERM', () => stopping.abort());
  return stopping.signal;
}
