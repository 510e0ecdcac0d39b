import { historyCopy } from '../../parts/history/copy.ts';
import type { Range } from '../../parts/history/chart-range.ts';
import { stretchText } from '../../parts/history/history-times.ts';
import type { ChartTimes } from '../../ui/picture/chart-times.ts';
import { segmentAreas } from '../../ui/picture/SegmentBar.tsx';
import { StackedAreas } from '../../ui/picture/StackedAreas.tsx';
import { overviewCopy } from './copy.ts';

const height = 76;

/** A version as a layer: its name, its list, and its devices in each step. */
export interface VersionLayer {
  readonly name: string;
  readonly href: string;
  readonly devices: readonly (number | null)[];
}

/** How many devices reported which version over a time; nothing until two looks are known. */
export function VersionsChart({
  field,
  times,
  versions,
  range,
  onOpen,
}: {
  field: string;
  times: ChartTimes;
  versions: readonly VersionLayer[];
  range: Range;
  onOpen: (href: string) => void;
}) {
  const known = versions[0]?.devices.filter((count) => count !== null).length ?? 0;
  if (known < 2) return null;
  const { fromMs, stepMs } = times;
  const nameOf = (step: number) =>
    stretchText(fromMs + step * stepMs, fromMs + (step + 1) * stepMs, range === '24h');
  return (
    <StackedAreas
      label={overviewCopy.versionsChart(field, historyCopy.lastRange[range])}
      times={times}
      layers={versions.map(({ name, href, devices }, index) => ({
        name,
        href,
        values: devices,
        className: segmentAreas[index] ?? '',
      }))}
      gaps={gapsOf(versions[0]?.devices ?? [], times)}
      height={height}
      nameOf={nameOf}
      describe={(step) => (
        <>
          <b className="font-head">{nameOf(step)}</b>{' '}
          {versions[0]?.devices[step] === null
            ? historyCopy.noRecord
            : versions
                .filter(({ devices }) => (devices[step] ?? 0) > 0)
                .map(({ name, devices }) => `${name}: ${(devices[step] ?? 0).toLocaleString('en')}`)
                .join(', ')}
        </>
      )}
      onOpen={onOpen}
    />
  );
}

/** The steps without a look between two looks. */
function gapsOf(devices: readonly (number | null)[], { fromMs, stepMs }: ChartTimes) {
  const first = devices.findIndex((count) => count !== null);
  return devices.flatMap((count, step) =>
    count === null && step > first
      ? [{ fromMs: fromMs + step * stepMs, toMs: fromMs + (step + 1) * stepMs }]
      : [],
  );
}
