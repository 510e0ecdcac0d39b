import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { versionHistoryQuery } from '../../data/queries-projects.ts';
import { withOtherValue, withValue } from '../../parts/device-filters.ts';
import { hubRange, type Range } from '../../parts/history/chart-range.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { SegmentBar } from '../../ui/picture/SegmentBar.tsx';
import { toMs } from '../../ui/time/format-time.ts';
import { overviewCopy } from './copy.ts';
import { LinkedCard } from '../../ui/layout/LinkedCard.tsx';
import { reportingOf, shownVersions, type Version } from './shown-versions.ts';
import { useLists } from './use-lists.ts';
import { VersionsChart } from './VersionsChart.tsx';

/** Which versions the devices of a project report, and reported over a time. */
export function VersionsCard({
  projectId,
  versions,
  devices,
  range,
}: {
  projectId: Id<'project'>;
  versions: readonly Version[];
  devices: number;
  range: Range;
}) {
  const { hrefOf, open } = useLists(projectId);
  const { data: history, error } = useQuery(versionHistoryQuery(projectId, hubRange[range]));
  // Four are two rows of two.
  const isInThrees = versions.length > 2 && versions.length !== 4;
  return (
    <LinkedCard
      title={overviewCopy.versions}
      link={<Link to="/projects/$projectId/devices" params={{ projectId }} search={{}} />}
    >
      {error !== null && <p className="mb-3 text-body text-ink2">{messageOf(error)}</p>}
      <ul
        className={`grid grid-cols-1 gap-x-8 gap-y-5 ${versions.length > 1 ? 'sm:grid-cols-2' : ''} ${isInThrees ? 'lg:grid-cols-3' : ''}`}
      >
        {versions.map((version) => {
          const { field } = version;
          const series = history?.fields.find((one) => one.field === field);
          const shown = shownVersions(version, series);
          const names = shown.flatMap(({ value }) => value ?? []);
          const layers = shown.map(({ value, ...counts }) => ({
            ...counts,
            name: value ?? overviewCopy.otherVersions,
            href: hrefOf(value === undefined ? withOtherValue(field, names) : withValue(field, value)),
          }));
          return (
            <li key={field} className="flex min-w-0 flex-col gap-1.5">
              <div className="flex flex-wrap items-baseline justify-between gap-x-3">
                <Link
                  to="/projects/$projectId/devices"
                  params={{ projectId }}
                  search={withOtherValue(field, [])}
                  className="number-link text-label"
                >
                  {field}
                </Link>
                <span className="tabular text-small text-ink2">
                  {overviewCopy.reporting(reportingOf(version), devices)}
                </span>
              </div>
              {history !== undefined && series !== undefined && (
                <VersionsChart
                  {...{ field, range }}
                  times={{
                    fromMs: toMs(history.from),
                    stepMs: history.stepSeconds * 1000,
                    steps: series.others.length,
                  }}
                  versions={layers}
                  onOpen={open}
                />
              )}
              <SegmentBar segments={layers} onOpen={open} />
            </li>
          );
        })}
      </ul>
    </LinkedCard>
  );
}
