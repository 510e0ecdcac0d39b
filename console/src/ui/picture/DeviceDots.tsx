import { uiCopy } from '../copy.ts';
import { type DeviceCounts, type DotState, dotStates } from './dot-states.ts';

const pitch = 14;
/** Trimmed beside the outer dots, so that they align with the text above. */
const margin = 2.5;
const dotClasses: Record<DotState, string> = {
  connected: 'fill-ok stroke-ok',
  disconnected: 'fill-none stroke-ink3',
  pending: 'fill-none stroke-warn',
  unknown: 'fill-ink3 stroke-ink3',
};

/**
 * The devices of a project as dots: filled is connected, a ring is disconnected, a notched ring has a pending certificate. Above seven rows
 * of `columns`, one dot stands for several devices, and a caption says so.
 */
export function DeviceDots({
  counts,
  dots: known,
  columns = 24,
  className,
}: {
  counts: DeviceCounts;
  dots?: readonly DotState[] | undefined;
  columns?: number | undefined;
  className?: string | undefined;
}) {
  const maxDots = columns * 7;
  const computed = dotStates(counts, maxDots);
  const dots = known !== undefined && known.length <= maxDots ? known : computed.dots;
  const perDot = dots === computed.dots ? computed.devicesPerDot : 1;
  const rows = Math.max(1, Math.ceil(dots.length / columns));
  return (
    <figure className={`flex flex-col gap-1.5 ${className ?? ''}`}>
      <svg
        role="img"
        aria-label={countsText(counts)}
        viewBox={`${margin} ${margin} ${columns * pitch - 2 * margin} ${rows * pitch - 2 * margin}`}
        width={columns * pitch - 2 * margin}
        height={rows * pitch - 2 * margin}
        className="h-auto max-w-full rtl:-scale-x-100"
      >
        {dots.map((dot, index) => (
          <Dot
            key={index}
            dot={dot}
            x={(index % columns) * pitch + pitch / 2}
            y={Math.floor(index / columns) * pitch + pitch / 2}
          />
        ))}
      </svg>
      {perDot > 1 && (
        <figcaption className="text-small text-ink3">{uiCopy.deviceDots.scale(perDot)}</figcaption>
      )}
    </figure>
  );
}

function Dot({ dot, x, y }: { dot: DotState; x: number; y: number }) {
  const isNotched = dot === 'pending';
  return (
    <circle
      cx={x}
      cy={y}
      r={dot === 'connected' || dot === 'unknown' ? 4 : 3.4}
      strokeWidth={isNotched ? 2 : 1.4}
      // Three quarters of the ring; the open quarter is the notch.
      strokeDasharray={isNotched ? '15.5 5.9' : undefined}
      className={`transition-[fill,stroke] ${dotClasses[dot]}`}
    />
  );
}

/** The accessible name: the counts in words. */
function countsText({ total, connected, pending = 0 }: DeviceCounts): string {
  const text =
    connected === undefined ? uiCopy.deviceDots.total(total) : uiCopy.deviceDots.of(connected, total);
  return pending > 0 ? `${text}, ${uiCopy.deviceDots.pending(pending)}` : text;
}
