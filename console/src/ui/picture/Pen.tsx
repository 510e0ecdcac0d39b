import { en } from '../../copy/en.ts';
import { type PenCounts, type PenDot, penDots } from './pen-dots.ts';

const pitch = 14;
/** The room beside the outer dots that is cut off, so that they stand flush with the text above. */
const margin = 2.5;
const looks: Record<PenDot, string> = {
  connected: 'fill-ok stroke-ok',
  disconnected: 'fill-none stroke-ink3',
  pending: 'fill-none stroke-warn',
  unknown: 'fill-ink3 stroke-ink3',
};

/**
 * A project as dots, one per device: filled is connected, a ring is not, a notched ring has a pending certificate. Give the
 * `counts`, and `dots` too where the state of each device is known, in the order of the list. Above seven rows of
 * `columns` one dot stands for several devices, and that is said.
 */
export function Pen({
  counts,
  dots: known,
  columns = 24,
  className,
}: {
  counts: PenCounts;
  dots?: readonly PenDot[] | undefined;
  columns?: number | undefined;
  className?: string | undefined;
}) {
  const maxDots = columns * 7;
  const drawn = penDots(counts, maxDots);
  const dots = known !== undefined && known.length <= maxDots ? known : drawn.dots;
  const perDot = dots === drawn.dots ? drawn.devicesPerDot : 1;
  const rows = Math.max(1, Math.ceil(dots.length / columns));
  return (
    <figure className={`flex flex-col gap-1.5 ${className ?? ''}`}>
      <svg
        role="img"
        aria-label={penText(counts)}
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
      {perDot > 1 && <figcaption className="text-small text-ink3">{en.pen.scale(perDot)}</figcaption>}
    </figure>
  );
}

function Dot({ dot, x, y }: { dot: PenDot; x: number; y: number }) {
  const isNotched = dot === 'pending';
  return (
    <circle
      cx={x}
      cy={y}
      r={dot === 'connected' || dot === 'unknown' ? 4 : 3.4}
      strokeWidth={isNotched ? 2 : 1.4}
      // Three quarters of the ring; the open quarter is the notch.
      strokeDasharray={isNotched ? '15.5 5.9' : undefined}
      className={`transition-[fill,stroke] ${looks[dot]}`}
    />
  );
}

/** The pen in words. */
function penText({ total, connected, pending = 0 }: PenCounts): string {
  const text = connected === undefined ? en.pen.total(total) : en.pen.of(connected, total);
  return pending > 0 ? `${text}, ${en.pen.pending(pending)}` : text;
}
