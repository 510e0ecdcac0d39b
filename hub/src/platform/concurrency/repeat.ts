/** Runs work at an interval, never twice at the same time. The returned function stops it and waits for the running work. */
export function repeat(
  work: () => Promise<unknown>,
  everyMs: number,
  log: { warn(fields: { readonly err: unknown }, message: string): void },
): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, 'upkeep failed and will be retried'))
      .finally(() => (running = undefined));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
