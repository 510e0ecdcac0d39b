const retryMs = 5000;

/** Loads code, again every 5 s after a failure, until the signal aborts; never rejected. `onFailure` is called at the first failure. */
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
