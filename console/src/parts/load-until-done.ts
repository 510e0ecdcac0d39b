const retryMs = 5000;

/**
 * A load of code that nobody waits for: after a failure it is tried again every 5 s, so it is never rejected and an unreachable hub
 * breaks no page.
 */
export function loadUntilDone<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async () => {
    for (;;) {
      try {
        return await load();
      } catch {
        await new Promise((resolve) => window.setTimeout(resolve, retryMs));
      }
    }
  };
}
