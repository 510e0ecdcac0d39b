import { maxDots, type Id, type Output } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { orToast } from '../../parts/or-toast.ts';
import { dotsOf } from '../../ui/picture/condensed-dots.ts';
import { FieldOfDots } from '../../ui/picture/FieldOfDots.tsx';
import { overviewCopy } from './copy.ts';
import { DotText } from './DotText.tsx';
import { FieldLegend } from './FieldLegend.tsx';
import { fieldGroups } from './field-groups.ts';
import { overviewDeviceQuery } from './queries.ts';
import { useLists } from './use-lists.ts';

/** All devices of a project as dots in groups. */
export function FieldCard({
  projectId,
  overview,
  onGroupBy,
}: {
  projectId: Id<'project'>;
  overview: Output<'projects_GetOverview'>;
  onGroupBy: (label: string) => void;
}) {
  const router = useRouter();
  const client = useQueryClient();
  const { hrefOf, open } = useLists(projectId);
  const { groupBy, counts } = overview;
  const groups = useMemo(
    () => fieldGroups(overview.groups, groupBy, hrefOf),
    [overview.groups, groupBy, hrefOf],
  );
  const dots = useMemo(
    () =>
      dotsOf(
        groups.map(({ disconnected, connected, waiting }) => [disconnected, connected, waiting] as const),
        overview.dots,
        maxDots,
      ),
    [groups, overview.dots],
  );
  async function openDevice(index: number): Promise<void> {
    const query = overviewDeviceQuery(projectId, groupBy, index);
    const { deviceId } = await client.fetchQuery(query);
    await router.navigate({ to: '/projects/$projectId/devices/$deviceId', params: { projectId, deviceId } });
  }
  return (
    <section
      aria-label={overviewCopy.fieldTitle}
      className="mb-5 min-w-0 rounded-card border border-line bg-surface px-4.5 py-3.5"
    >
      <FieldOfDots
        label={overviewCopy.field(counts.devices, counts.connected, groups.length, groupBy)}
        groups={groups}
        dots={dots}
        onOpen={open}
        onOpenDot={(index) => void orToast(overviewCopy.notOpened, openDevice(index))}
        describe={(index) => <DotText {...{ projectId, groupBy, index }} />}
      />
      <FieldLegend {...{ projectId, overview, onGroupBy }} devicesPerDot={dots.devicesPerDot} />
    </section>
  );
}
