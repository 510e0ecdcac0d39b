import { type Range, ranges } from './chart-range.ts';
import { historyCopy } from './copy.ts';

/** Chooses the time of all charts. */
export function RangeSwitch({
  range,
  onRangeChange,
}: {
  range: Range;
  onRangeChange: (range: Range) => void;
}) {
  return (
    <div
      role="group"
      aria-label={historyCopy.rangeLabel}
      className="inline-flex overflow-clip rounded-control border border-line bg-surface print:hidden"
    >
      {ranges.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === range}
          onClick={() => onRangeChange(choice)}
          className="h-8 border-line px-3.5 text-label text-ink2 transition-colors not-first:border-s hover:text-ink focus-visible:-outline-offset-2 aria-pressed:bg-denim-wash aria-pressed:text-ink pointer-coarse:h-11"
        >
          {historyCopy.ranges[choice]}
        </button>
      ))}
    </div>
  );
}
