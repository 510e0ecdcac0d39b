import { useRef } from 'react';
import { useWidth } from '../../../ui/picture/use-width.ts';
import { newOperationCopy } from './copy.ts';
import { previewDots } from './preview-dots.ts';

const words = newOperationCopy.preview;
const pitch = 9;
const usualWidth = 364;

/** The classes of the fill of a stage, also beside its name. */
const fills = ['fill-v1 stroke-v1', 'fill-v2 stroke-v2', 'fill-v3 stroke-edge', 'fill-v4 stroke-line-strong'];

/** See `fills`. */
export const stageFill = (index: number, count: number): string =>
  (count === 1 ? fills[0] : fills[Math.min(index, fills.length - 1)]) ?? '';

/** The devices of a preview as dots: filled by their stage, a ring for those left out. */
export function PreviewField({
  stages,
  leftOut,
}: {
  stages: readonly { name: string; devices: number }[];
  leftOut: number;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame) || usualWidth;
  const { dots, perDot } = previewDots(
    stages.map(({ devices }) => devices),
    leftOut,
  );
  const columns = Math.max(1, Math.floor(width / pitch));
  const rows = Math.ceil(dots.length / columns);
  const said = [
    ...stages.map(({ name, devices }) => `${devices.toLocaleString('en')} ${name}`),
    `${leftOut.toLocaleString('en')} ${words.excluded}`,
  ].join(', ');
  return (
    <div ref={frame}>
      <svg
        role="img"
        aria-label={words.picture(said)}
        width={columns * pitch}
        height={rows * pitch}
        viewBox={`0 0 ${columns * pitch} ${rows * pitch}`}
        className="forced-color-adjust-auto block max-w-full rtl:-scale-x-100"
      >
        {dots.map((stage, index) => (
          <circle
            key={index}
            cx={(index % columns) * pitch + pitch / 2}
            cy={Math.floor(index / columns) * pitch + pitch / 2}
            r={stage < 0 ? 2.6 : 3}
            strokeWidth={stage < 0 ? 1.2 : 0.8}
            className={stage < 0 ? 'fill-none stroke-ink' : stageFill(stage, stages.length)}
          />
        ))}
      </svg>
      {perDot > 1 && <p className="pt-1.5 text-small text-ink3">{words.perDot(perDot)}</p>}
    </div>
  );
}
