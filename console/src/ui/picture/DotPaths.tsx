import { memo } from 'react';
import { dotShape, isStroked, strokeWidth } from './dot-shapes.ts';
import { centreOf, type FieldLayout } from './field-layout.ts';

// By the number of the state.
const classes = ['stroke-ink', 'fill-ok-fill', 'stroke-warn-fill', 'fill-danger-fill'];

/** The dots of a field as one path for each state. */
export const DotPaths = memo(function DotPaths({
  layout,
  states,
  width,
}: {
  layout: FieldLayout;
  states: Uint8Array;
  width: number;
}) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${layout.height}`}
      className="forced-color-adjust-auto block w-full rtl:-scale-x-100"
      style={{ height: layout.height }}
    >
      {pathsOf(layout, states).map((path, state) => (
        <path
          key={state}
          d={path}
          className={`${classes[state]} ${isStroked(state) ? 'fill-none' : ''}`}
          strokeWidth={isStroked(state) ? strokeWidth(state, layout.pitch) : undefined}
        />
      ))}
    </svg>
  );
});

function pathsOf({ groups, pitch }: FieldLayout, states: Uint8Array): string[] {
  const paths: string[][] = classes.map(() => []);
  for (const group of groups)
    for (let dot = 0; dot < group.size; dot++) {
      const state = states[group.first + dot] ?? 0;
      paths[state]?.push(dotShape(state, ...centreOf(group, dot, pitch), pitch));
    }
  return paths.map((shapes) => shapes.join(''));
}
