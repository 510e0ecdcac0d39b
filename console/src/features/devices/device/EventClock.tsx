import { type DeviceEvent, eventOffsetMs, eventTime } from '@corral/contract';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { deviceCopy } from './copy.ts';

const words = deviceCopy.events;
const daySecs = 86_400;

/** When an event happened, and by how much the clock of the device differs where the time of receipt is shown instead. */
export function EventTime({ event }: { event: DeviceEvent }) {
  const offset = offsetOf(event);
  return (
    <>
      <RelativeTime at={eventTime(event)} />
      {offset !== undefined && (
        <span className="block text-small text-warn" title={words.deviceTime(event.emittedAt)}>
          {words.clock(offset.duration, offset.isAhead)}
        </span>
      )}
    </>
  );
}

/** Says by how much the clock of a device is off, as its newest event shows; nothing where it is right. */
export function ClockNotice({ newest }: { newest: DeviceEvent | undefined }) {
  const offset = newest && offsetOf(newest);
  if (offset === undefined) return null;
  const title = words.clockTitle(offset.duration, offset.isAhead);
  return (
    <div className="px-4.5 pb-3.5">
      <Notice tone="warn" title={title}>
        {offset.isAhead ? words.clockAhead : words.clockBehind}
      </Notice>
    </div>
  );
}

function offsetOf(event: DeviceEvent) {
  const offsetMs = eventOffsetMs(event);
  if (offsetMs === 0) return undefined;
  const seconds = Math.abs(offsetMs) / 1000;
  // Rounded, since the way from the device to the hub takes a moment.
  const unit = seconds > 2 * daySecs ? daySecs : seconds > daySecs / 12 ? 3600 : 60;
  return { duration: formatDuration(Math.round(seconds / unit) * unit), isAhead: offsetMs > 0 };
}
