import { formatDuration } from './format-duration.ts';
import { useNow } from './use-now.ts';

/** A duration. With `measuredAt` (milliseconds since the epoch) it grows from then on, every second or minute. */
export function Duration({ seconds, measuredAt }: { seconds: number; measuredAt?: number | undefined }) {
  if (measuredAt === undefined) return <span className="tabular">{formatDuration(seconds)}</span>;
  return <Ticking startMs={measuredAt - seconds * 1000} />;
}

function Ticking({ startMs }: { startMs: number }) {
  // The minute clock may lag by a minute; the second clock is used until the minute clock has passed the limit too.
  const isShort = useNow('minute') - startMs < 120_000;
  const now = useNow(isShort ? 'second' : 'minute');
  return <span className="tabular">{formatDuration((Math.max(now, startMs) - startMs) / 1000)}</span>;
}
