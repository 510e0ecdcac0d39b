import { memo, useLayoutEffect, useRef } from 'react';
import { dotShape, isStroked, strokeWidth } from './dot-shapes.ts';
import { centreOf, type FieldLayout } from './field-layout.ts';
import { useDotColours } from './use-dot-colours.ts';

/** Below this pitch dots are squares, and a state is told by its colour and lightness. */
const minPitchOfShapes = 6;

interface Drawn {
  readonly layout: FieldLayout;
  readonly states: Uint8Array;
  readonly colours: readonly string[];
  readonly width: number;
}

/** The dots of a large field on a canvas; of a new state only the dots that differ are drawn again. */
export const DotCanvas = memo(function DotCanvas({
  layout,
  states,
  width,
}: {
  layout: FieldLayout;
  states: Uint8Array;
  width: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Drawn>(undefined);
  const colours = useDotColours();
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    const next = { layout, states, colours, width };
    const before = drawn.current;
    const isSame =
      before !== undefined &&
      before.colours === colours &&
      before.width === width &&
      JSON.stringify(before.layout) === JSON.stringify(layout);
    if (!isSame) resize(canvas.current, context, width, layout.height);
    draw(context, next, isSame ? before.states : undefined);
    drawn.current = next;
  }, [layout, states, colours, width]);
  return <canvas ref={canvas} aria-hidden className="block w-full rtl:-scale-x-100" />;
});

function resize(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = `${height}px`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** Draws the dots whose state is not that in `before`: each state as one path. */
function draw(
  context: CanvasRenderingContext2D,
  { layout: { groups, pitch }, states, colours }: Drawn,
  before: Uint8Array | undefined,
): void {
  const squares = colours.map(() => new Path2D());
  const shapes = colours.map((): string[] => []);
  for (const group of groups)
    for (let dot = 0; dot < group.size; dot++) {
      const index = group.first + dot;
      const state = states[index] ?? 0;
      if (before?.[index] === state) continue;
      const [x, y] = centreOf(group, dot, pitch);
      if (before !== undefined) context.clearRect(x - pitch / 2, y - pitch / 2, pitch, pitch);
      if (pitch >= minPitchOfShapes) shapes[state]?.push(dotShape(state, x, y, pitch));
      else squares[state]?.rect(x - pitch / 2, y - pitch / 2, pitch - 1, pitch - 1);
    }
  for (const [state, colour] of colours.entries()) {
    const path =
      pitch >= minPitchOfShapes ? new Path2D(shapes[state]?.join('')) : (squares[state] ?? new Path2D());
    if (pitch >= minPitchOfShapes && isStroked(state)) {
      context.strokeStyle = colour;
      context.lineWidth = strokeWidth(state, pitch);
      context.stroke(path);
    } else {
      context.fillStyle = colour;
      context.fill(path);
    }
  }
}
