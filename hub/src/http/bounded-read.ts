const withinMs = 2_000;

/** A read that answers undefined if it fails or takes longer than two seconds. One runs at a time, however many ask. */
export function boundedRead<Value>(read: () => Promise<Value>): () => Promise<Value | undefined> {
  let running: Promise<Value | undefined> | undefined;
  return async () => {
    running ??= read()
      .catch(() => undefined)
      .finally(() => (running = undefined));
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(late.resolve, withinMs, undefined);
    try {
      return await Promise.race([running, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
