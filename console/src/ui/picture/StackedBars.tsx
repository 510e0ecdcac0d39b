import { type ReactNode, useRef } from 'react';
import { ChartAxis } from './ChartAxis.tsx';
import type { ChartTimes } from './chart-times.ts';
import { type StackedBar, type StackLayer, StackTable } from './StackTable.tsx';
import { ShapeFloat } from './ShapeFloat.tsx';
import { useChartCursor } from './use-chart-cursor.ts';
import { useWidth } from './use-width.ts';

const height = 92;
const usualWidth = 564;
const gap = 3;
const minPart = 2;

/** Bars over time that begin at 0, the first layer at the baseline. `label` says the picture in a sentence, `describe` one bar; a table has all numbers for screen readers. */
export function StackedBars({
  label,
  times,
  bars,
  layers,
  describe,
  onOpen,
}: {
  label: string;
  times: ChartTimes;
  bars: readonly StackedBar[];
  layers: readonly StackLayer[];
  describe: (bar: number) => ReactNode;
  onOpen?: ((bar: number) => void) | undefined;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame) || usualWidth;
  const { at, handlers } = useChartCursor(bars.length, onOpen);
  const highest = Math.max(1, ...bars.map(({ parts }) => sum(parts ?? [])));
  const step = width / Math.max(1, bars.length);
  return (
    <div ref={frame} className="relative">
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
          {bars.map(({ name, parts }, index) => (
            <Bar
              key={name}
              x={index * step + gap / 2}
              width={Math.max(1, step - gap)}
              parts={parts}
              highest={highest}
              layers={layers}
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

function Bar({
  x,
  width,
  parts,
  highest,
  layers,
}: {
  x: number;
  width: number;
  parts: readonly number[] | null;
  highest: number;
  layers: readonly StackLayer[];
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
