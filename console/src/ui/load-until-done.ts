const retryMs = 5000;

/**
 * Loads code; after a failure again every 5 s until the signal aborts, so it is never rejected and an unreachable hub breaks no page.
 * `onFailure` is called once, at the first failure. Resolves with undefined after an abort.
 */
export async function loadUntilDone<Part>(
  load: () => Promise<Part>,
  signal: AbortSignal,
  onFailure?: () => void,
): Promise<Part | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await load();
    } catch {
      if (failures === 0 && !signal.aborted) onFailure?.();
      await new Promise((resolve) => window.setTimeout(resolve, retryMs));
    }
  }
  return undefined;
}
