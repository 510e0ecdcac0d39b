import { type ReactNode, useRef } from 'react';
import { ChartAxis } from './ChartAxis.tsx';
import type { ChartTimes } from './chart-times.ts';
import { type StackedBar, type StackLayer, StackTable } from './StackTable.tsx';
import { ShapeFloat } from './ShapeFloat.tsx';
import { useChartCursor } from './use-chart-cursor.ts';
import { useWidth } from './use-width.ts';

const usualHeight = 92;
/** About the width of a letter of a mark, and the room after it. */
const [letter, markGap] = [7, 8];
const usualWidth = 564;
const gap = 3;
const minPart = 2;

/** A moment of a chart that has a name. */
export interface ChartMark {
  readonly atMs: number;
  readonly name: string;
}

/** Bars over time that begin at 0, the first layer at the baseline. `label` says the picture in a sentence, `describe` one bar; `marks` are moments with a name above them, and a table has all numbers for screen readers. */
export function StackedBars({
  label,
  times,
  bars,
  layers,
  describe,
  onOpen,
  marks = [],
  height = usualHeight,
}: {
  label: string;
  times: ChartTimes;
  bars: readonly StackedBar[];
  layers: readonly StackLayer[];
  describe: (bar: number) => ReactNode;
  onOpen?: ((bar: number) => void) | undefined;
  marks?: readonly ChartMark[];
  /** In pixels, without the axis. */
  height?: number;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame) || usualWidth;
  const { at, handlers } = useChartCursor(bars.length, onOpen);
  const highest = Math.max(1, ...bars.map(({ parts }) => sum(parts ?? [])));
  const step = width / Math.max(1, bars.length);
  return (
    <div ref={frame} className="relative">
      {marks.length > 0 && <MarkNames marks={marksIn(marks, times, width)} width={width} />}
      <div
        role="img"
        aria-label={label}
        {...handlers}
        className={`rounded-control ${onOpen === undefined ? '' : 'cursor-pointer'}`}
      >
        <svg
          aria-hidden
          viewBox={`0 0 ${width} ${height}`}
          className="block w-full overflow-visible rtl:-scale-x-100"
          style={{ height }}
        >
          {marksIn(marks, times, width).map(({ x }, index) => (
            <line
              key={index}
              x1={x}
              x2={x}
              y1="-4"
              y2={height}
              className="stroke-line-strong"
              strokeDasharray="2 3"
            />
          ))}
          {bars.map(({ parts }, index) => (
            <Bar
              key={index}
              x={index * step + gap / 2}
              width={Math.max(1, step - gap)}
              parts={parts}
              highest={highest}
              layers={layers}
              height={height}
            />
          ))}
          <line x1="0" x2={width} y1={height} y2={height} className="stroke-line" />
          {at !== undefined && (
            <rect
              x={at * step}
              y="-3"
              width={step}
              height={height + 6}
              rx="3"
              className="fill-none stroke-denim"
              strokeWidth="2"
            />
          )}
        </svg>
        <ChartAxis times={times} />
      </div>
      {at !== undefined && (
        <ShapeFloat x={at * step} y={-38} width={width}>
          {describe(at)}
        </ShapeFloat>
      )}
      <StackTable {...{ label, bars, layers }} />
    </div>
  );
}

interface PlacedMark extends ChartMark {
  /** In pixels from the start. */
  readonly x: number;
}

function marksIn(
  marks: readonly ChartMark[],
  { fromMs, stepMs, steps }: ChartTimes,
  width: number,
): PlacedMark[] {
  return marks.map((mark) => ({
    ...mark,
    x: Math.min(width, Math.max(0, ((mark.atMs - fromMs) / (stepMs * steps)) * width)),
  }));
}

/** The names of marks above a chart; one that would pass its end ends there. */
function MarkNames({ marks, width }: { marks: readonly PlacedMark[]; width: number }) {
  return (
    <div aria-hidden className="relative mb-1.5 h-4 text-small text-ink2">
      {withRoom(marks, width).map(({ name, start, isAtEnd }, index) => (
        <span
          key={index}
          className="absolute truncate"
          style={{
            maxWidth: width - start,
            ...(isAtEnd ? { insetInlineEnd: 0 } : { insetInlineStart: start }),
          }}
        >
          {name}
        </span>
      ))}
    </div>
  );
}

/** The marks whose names touch none before. */
function withRoom(marks: readonly PlacedMark[], width: number) {
  let end = Number.NEGATIVE_INFINITY;
  return marks.flatMap(({ name, x }) => {
    const last = width - name.length * letter;
    if (x < end) return [];
    const start = Math.max(0, end, Math.min(x, last));
    end = start + name.length * letter + markGap;
    return { name, start, isAtEnd: x > last };
  });
}

function Bar({
  x,
  width,
  parts,
  highest,
  layers,
  height,
}: {
  x: number;
  width: number;
  parts: readonly number[] | null;
  highest: number;
  layers: readonly StackLayer[];
  height: number;
}) {
  if (parts === null)
    return (
      <rect
        x={x}
        y="0"
        width={width}
        height={height}
        className="fill-sunken stroke-line"
        strokeDasharray="2 2"
      />
    );
  const shown = parts.map((part) => (part === 0 ? 0 : Math.max(minPart, (part / highest) * (height - 8))));
  const rects = shown.map((size, layer) => ({
    size,
    y: height - sum(shown.slice(0, layer + 1)) - layer,
    className: layers[layer]?.className ?? '',
  }));
  return rects.map(({ size, y, className }, layer) =>
    size === 0 ? null : (
      <rect key={layers[layer]?.name} x={x} y={y} width={width} height={size} rx="1" className={className} />
    ),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
