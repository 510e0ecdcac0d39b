import type { Id, Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { withOtherValue, withValue } from '../../parts/device-filters.ts';
import { type Segment, SegmentBar } from '../../ui/picture/SegmentBar.tsx';
import { overviewCopy } from './copy.ts';
import { OverviewCard } from './OverviewCard.tsx';
import { type Lists, useLists } from './use-lists.ts';

type Version = Output<'projects_GetOverview'>['versions'][number];

const maxSegments = 4;

/** Which versions the devices of a project report. */
export function VersionsCard({
  projectId,
  versions,
  devices,
  className,
}: {
  projectId: Id<'project'>;
  versions: readonly Version[];
  devices: number;
  className?: string | undefined;
}) {
  const { hrefOf, open } = useLists(projectId);
  return (
    <OverviewCard
      title={overviewCopy.versions}
      link={<Link to="/projects/$projectId/devices" params={{ projectId }} search={{}} />}
      className={className}
    >
      <ul className="flex flex-col gap-5">
        {versions.map((version) => (
          <li key={version.field} className="flex flex-col gap-1.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <Link
                to="/projects/$projectId/devices"
                params={{ projectId }}
                search={withOtherValue(version.field, [])}
                className="number-link text-label"
              >
                {version.field}
              </Link>
              <span className="tabular text-small text-ink2">
                {overviewCopy.reporting(reportingOf(version), devices)}
              </span>
            </div>
            <SegmentBar segments={segmentsOf(version, hrefOf)} onOpen={open} />
          </li>
        ))}
      </ul>
    </OverviewCard>
  );
}

/** How many devices report a version. */
const reportingOf = ({ values, others }: Version): number =>
  values.reduce((sum, { devices }) => sum + devices, others);

/** The most frequent versions, and all others as one. */
function segmentsOf(version: Version, hrefOf: Lists['hrefOf']): Segment[] {
  const { field, values, others } = version;
  const fits = values.length <= maxSegments && others === 0;
  const shown = fits ? values : values.slice(0, maxSegments - 1);
  const rest = reportingOf(version) - shown.reduce((sum, { devices: count }) => sum + count, 0);
  const segments = shown.map(({ value, devices: count }) => ({
    name: value,
    count,
    href: hrefOf(withValue(field, value)),
  }));
  if (rest <= 0) return segments;
  const names = shown.map(({ value }) => value);
  return [
    ...segments,
    { name: overviewCopy.otherVersions, count: rest, href: hrefOf(withOtherValue(field, names)) },
  ];
}
