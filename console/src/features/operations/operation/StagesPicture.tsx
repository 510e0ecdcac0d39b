import { ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { operationFill, operationMarks, operationShape } from '../../../ui/picture/operation-shapes.ts';
import { useWidth } from '../../../ui/picture/use-width.ts';
import { formatDuration } from '../../../ui/time/format-duration.ts';
import { formatRelative, toMs } from '../../../ui/time/format-time.ts';
import { useNow } from '../../../ui/time/use-now.ts';
import { operationsCopy } from '../copy.ts';
import type { FoundOperation } from '../fleet-operations.ts';
import {
  type DotLayout,
  dotsOf,
  fitsBeside,
  layoutDots,
  marksOf,
  type StageState,
  widthOfStage,
} from './stage-dots.ts';

const words = operationsCopy.stages;
const room = { minWidth: 168, padding: 20, gap: 24 };
/** Where nothing is measured, as in tests of components. */
const usualWidth = 946;

/** The stages as dots, each as wide as it has devices; the one that runs is washed. Below each other where there is no room. */
export function StagesPicture({ operation }: { operation: FoundOperation }) {
  const frame = useRef<HTMLOListElement>(null);
  const width = useWidth(frame) || usualWidth;
  const { stageStates } = operation;
  const counts = stageStates.map(({ devices }) => devices);
  const isColumn = width < 560 || !fitsBeside(counts.length, width, room);
  const layout = isColumn
    ? layoutDots([Math.max(...counts, 0)], width, { ...room, minWidth: 0 })
    : layoutDots(counts, width, room);
  const { perDot } = layout;
  return (
    <div className="px-2 pt-2 pb-3">
      <ol ref={frame} className={`flex ${isColumn ? 'flex-col gap-1' : ''}`}>
        {stageStates.map((state, index) => (
          <Stage key={index} {...{ operation, state, index, layout, isColumn }} />
        ))}
      </ol>
      {perDot > 1 && <p className="px-2.5 pt-1 text-small text-ink3">{words.perDot(perDot)}</p>}
    </div>
  );
}

function Stage({
  operation,
  state,
  index,
  layout,
  isColumn,
}: {
  operation: FoundOperation;
  state: StageState;
  index: number;
  layout: DotLayout;
  isColumn: boolean;
}) {
  const { summary, stages, stageStates } = operation;
  const isActive = summary.status === 'Running' && index === summary.activeStageIndex;
  const isLast = index === stageStates.length - 1;
  return (
    <>
      <li
        aria-current={isActive ? 'step' : undefined}
        className={`min-w-0 rounded-control px-2.5 py-2 ${isActive ? 'bg-denim-wash/60' : ''} ${isLast && !isColumn ? 'flex-1' : 'shrink-0'}`}
        style={isColumn ? undefined : { width: widthOfStage(state.devices, layout, room) }}
      >
        <p className="truncate text-body">
          <b className="text-section">{stages[index]?.name ?? index + 1}</b>{' '}
          <span className="tabular text-ink2">{state.devices.toLocaleString('en')}</span>
        </p>
        <p className={`mb-2 text-small ${isActive ? 'text-denim' : 'text-ink2'}`}>
          <When {...{ operation, state, index }} />
        </p>
        <Dots name={stages[index]?.name ?? String(index + 1)} {...{ state, layout }} />
      </li>
      {!isLast && !isColumn && (
        <li aria-hidden className="flex w-6 shrink-0 items-center justify-center text-ink2">
          <ChevronRight size={16} className="rtl:-scale-x-100" />
        </li>
      )}
    </>
  );
}

function Dots({ name, state, layout }: { name: string; state: StageState; layout: DotLayout }) {
  const { pitch, perDot } = layout;
  const marks = marksOf(state);
  const dots = dotsOf(marks, perDot);
  const columns = Math.max(1, Math.ceil(dots.length / layout.rows));
  const rows = Math.min(layout.rows, Math.max(1, dots.length));
  const middle = (place: number) => (place + 0.5) * pitch;
  const paths = operationMarks.map((mark) => ({
    mark,
    d: dots
      .map((dot, index) =>
        dot === mark
          ? operationShape(
              mark,
              middle(Math.floor(index / layout.rows)),
              middle(index % layout.rows),
              Math.round(pitch * 3.5) / 10,
            )
          : '',
      )
      .join(''),
  }));
  const said = operationMarks
    .filter((mark) => marks[mark] > 0)
    .map((mark) => `${marks[mark].toLocaleString('en')} ${mark}`)
    .join(', ');
  return (
    <svg
      role="img"
      aria-label={words.picture(name, said)}
      width={columns * pitch}
      height={rows * pitch}
      viewBox={`0 0 ${columns * pitch} ${rows * pitch}`}
      className="forced-color-adjust-auto block max-w-full rtl:-scale-x-100"
    >
      {paths.map(
        ({ mark, d }) =>
          d !== '' && <path key={mark} d={d} fillRule="evenodd" className={operationFill[mark]} />,
      )}
    </svg>
  );
}

/** Since when a stage is open, or what opens it. */
function When({
  operation: { summary, stages, stageStates },
  state: { openedAt },
  index,
}: {
  operation: FoundOperation;
  state: StageState;
  index: number;
}) {
  const now = useNow('minute');
  if (openedAt !== undefined) {
    const since = formatRelative(toMs(openedAt), now);
    const isActive = index === summary.activeStageIndex;
    if (isActive && summary.status === 'Running') return words.running(since);
    return isActive && summary.status === 'Paused' ? words.paused : words.passed(since);
  }
  if (index === 0) return words.first;
  if (stageStates[index - 1] === undefined || stages[index - 1] === undefined) return null;
  const { autoAdvance = false, soakSecs } = stages[index - 1] ?? {};
  if (!autoAdvance) return words.byPerson;
  return soakSecs === undefined ? words.byItself : words.bySoak(formatDuration(soakSecs));
}
