/** Waits for the time, or until the browser is online again or the signal is aborted. */
export function waitUntilOnline(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  const onEvent = (): void => resolve();
  window.addEventListener('online', onEvent);
  signal?.addEventListener('abort', onEvent);
  return promise.finally(() => {
    clearTimeout(timer);
    window.removeEventListener('online', onEvent);
    signal?.removeEventListener('abort', onEvent);
  });
}
