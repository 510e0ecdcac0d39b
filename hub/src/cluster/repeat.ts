/** Runs work again and again, never twice at once; the answer stops it and waits for the run under way. */
export function repeat(
  work: () => Promise<unknown>,
  everyMs: number,
  log: { warn(fields: object, message: string): void },
): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, 'upkeep failed and will be tried again'))
      .finally(() => (running = undefined));
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
