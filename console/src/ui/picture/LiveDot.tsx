import { uiCopy } from '../copy.ts';
import { Tooltip } from '../overlay/Tooltip.tsx';
import { formatRelative } from '../time/format-time.ts';
import { useNow } from '../time/use-now.ts';

/** How the page gets updates: over the event stream, by polling, or not at all. */
export type LiveState = 'live' | 'polling' | 'offline';

const stateClasses: Record<LiveState, string> = {
  live: 'filled-when-forced bg-ok ring-ok-wash',
  polling: 'filled-when-forced bg-warn ring-warn-wash',
  offline: 'bg-surface border-2 border-danger ring-danger-wash',
};

/** The state of the live view; the tooltip has the time of the last update (milliseconds since the epoch). */
export function LiveDot({ state, updatedAtMs }: { state: LiveState; updatedAtMs?: number | undefined }) {
  const now = useNow('minute');
  const updated =
    updatedAtMs === undefined
      ? undefined
      : uiCopy.live.updated(formatRelative(updatedAtMs, Math.max(now, updatedAtMs)));
  const dot = (
    <span
      role="status"
      tabIndex={updated === undefined ? undefined : 0}
      className="inline-flex items-center gap-2 rounded-control text-label font-normal text-ink2"
    >
      <span aria-hidden className={`size-2 rounded-full ring-3 ${stateClasses[state]}`} />
      <span className="max-lg:sr-only">{uiCopy.live[state]}</span>
    </span>
  );
  return updated === undefined ? (
    dot
  ) : (
    <Tooltip content={`${uiCopy.live[state]}, ${updated}`} side="bottom">
      {dot}
    </Tooltip>
  );
}
