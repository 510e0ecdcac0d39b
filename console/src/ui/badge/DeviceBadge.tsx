import { uiCopy } from '../copy.ts';
import { Duration } from '../time/Duration.tsx';
import { StatusDot } from './StatusDot.tsx';

/** Whether a device is connected, and with `sinceMs` (milliseconds since the epoch) for how long. */
export function DeviceBadge({
  isConnected,
  sinceMs,
}: {
  isConnected: boolean;
  sinceMs?: number | undefined;
}) {
  return (
    <span className="inline-flex h-5.5 max-w-full items-center gap-1.5 whitespace-nowrap">
      <span
        className={`inline-flex shrink-0 items-center gap-1.5 text-label ${isConnected ? 'text-ok' : 'text-ink2'}`}
      >
        <StatusDot isHollow={!isConnected} />
        {isConnected ? uiCopy.device.connected : uiCopy.device.disconnected}
      </span>
      {sinceMs !== undefined && (
        <span className="truncate text-body text-ink2">
          {uiCopy.device.for} <Duration seconds={0} measuredAt={sinceMs} />
        </span>
      )}
    </span>
  );
}
