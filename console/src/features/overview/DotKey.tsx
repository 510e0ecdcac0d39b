import { dotShape, dotStateNames, isStroked, strokeWidth } from '../../ui/picture/dot-shapes.ts';

const classes = {
  connected: 'fill-ok-fill',
  disconnected: 'stroke-ink',
  waiting: 'stroke-warn-fill',
  failing: 'fill-danger-fill',
};

/** A dot as in the field, for its legend. */
export function DotKey({ state: name }: { state: keyof typeof classes }) {
  const state = dotStateNames.indexOf(name);
  return (
    <svg aria-hidden width="11" height="11" viewBox="0 0 11 11" className="shrink-0">
      <path
        d={dotShape(state, 5.5, 5.5, 11)}
        className={`${classes[name]} ${isStroked(state) ? 'fill-none' : ''}`}
        strokeWidth={isStroked(state) ? strokeWidth(state, 11) : undefined}
      />
    </svg>
  );
}
