interface SharedRun<Result> {
  readonly outcome: Promise<Result>;
  readonly startedAtMs: number;
  /** Undefined while it runs. */
  endedAtMs: number | undefined;
}

interface ShareOptions {
  /** How long an outcome is given to later callers. */
  readonly keepMs: number;
  /** How long a run may take before the next caller starts another one. */
  readonly maxRunMs: number;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

/** Lets callers share a run of the work and its outcome, also an error, for a short time. */
export function shareRuns<Result>(
  work: () => Promise<Result>,
  { keepMs, maxRunMs, nowMs }: ShareOptions,
): () => Promise<Result> {
  let latest: SharedRun<Result> | undefined;
  const isUsable = ({ startedAtMs, endedAtMs }: SharedRun<Result>): boolean =>
    endedAtMs === undefined ? nowMs() - startedAtMs < maxRunMs : nowMs() - endedAtMs < keepMs;
  return () => {
    if (latest !== undefined && isUsable(latest)) return latest.outcome;
    const run: SharedRun<Result> = { outcome: work(), startedAtMs: nowMs(), endedAtMs: undefined };
    const noteEnd = (): void => void (run.endedAtMs = nowMs());
    run.outcome.then(noteEnd, noteEnd);
    latest = run;
    return run.outcome;
  };
}
