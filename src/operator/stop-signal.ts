/** Returns a signal that is aborted on SIGINT or SIGTERM. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}
