import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Cpu, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { terms } from '../../copy/terms.ts';
import { historyQuery, overviewQuery } from '../../data/queries-projects.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { useFiringRules } from '../../parts/alerts/use-firing-rules.ts';
import { NeedsCard } from '../../parts/NeedsCard.tsx';
import { useOpenOperations } from '../../parts/operation/use-open-operations.ts';
import { omitUndefined } from '../../parts/search-values.ts';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { EmptyState } from '../../ui/layout/EmptyState.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { ActivityCard } from '../../parts/ActivityCard.tsx';
import { ChartCards } from './ChartCards.tsx';
import { overviewCopy } from './copy.ts';
import { FieldCard } from './FieldCard.tsx';
import { hubRange } from '../../parts/history/chart-range.ts';
import type { OverviewSearch } from './overview-search.ts';
import { InventedNote } from '../../parts/history/InventedNote.tsx';
import { RangeSwitch } from '../../parts/history/RangeSwitch.tsx';
import { StateSentence } from './StateSentence.tsx';
import { useOverviewRefresh } from './use-overview-refresh.ts';
import { VersionsCard } from './VersionsCard.tsx';

// So few rows would leave a hole beside the charts.
const fewNeeds = 2;

/** How the fleet of a project is and was: its devices as dots, its history, what needs a person, what was done, and its versions. */
export function OverviewPage({
  projectId,
  search,
  onSearchChange,
}: {
  projectId: Id<'project'>;
  search: OverviewSearch;
  onSearchChange: (search: OverviewSearch) => void;
}) {
  const { range = '24h', by } = search;
  const query = overviewQuery(projectId, by);
  const { data: overview } = useLoadedQuery(query);
  useOverviewRefresh(projectId, query.queryKey);
  const history = useQuery(historyQuery(projectId, hubRange[range]));
  const { counts, needs, versions } = overview;
  const operations = useOpenOperations(projectId);
  const firing = useFiringRules(projectId);
  if (counts.devices === 0) return <NoDevices projectId={projectId} />;
  const charts = (
    <>
      <InventedNote until={history.data?.inventedUntil} className="lg:col-span-2" />
      <ChartCards {...{ projectId, range }} history={history} devices={counts.devices} />
    </>
  );
  return (
    <Page>
      <SectionHeader
        meta={<StateSentence {...{ projectId, overview }} />}
        actions={
          <>
            <RangeSwitch
              range={range}
              onRangeChange={(next) =>
                onSearchChange(omitUndefined({ ...search, range: next === '24h' ? undefined : next }))
              }
            />
            <ConnectLink projectId={projectId} />
          </>
        }
      />
      <FieldCard
        {...{ projectId, overview }}
        onGroupBy={(label) =>
          onSearchChange(omitUndefined({ ...search, by: label === 'site' ? undefined : label }))
        }
      />
      {needs.length + operations.length + firing.length > fewNeeds ? (
        <Columns>
          <div className="flex min-w-0 flex-col gap-5">{charts}</div>
          <NeedsCard {...{ projectId, needs, operations, firing }} />
        </Columns>
      ) : (
        <>
          <div className="mb-5">
            <NeedsCard {...{ projectId, needs, operations, firing }} />
          </div>
          <div className="mb-5 grid grid-cols-1 gap-5 lg:grid-cols-2">{charts}</div>
        </>
      )}
      {versions.length > 0 && (
        <div className="mb-5">
          <VersionsCard {...{ projectId, versions, range }} devices={counts.devices} />
        </div>
      )}
      <ActivityCard projectId={projectId} />
    </Page>
  );
}

/** Two columns, 600 and 364 wide, below each other where there is no room. */
function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="mb-5 grid grid-cols-1 gap-5 lg:grid-cols-[minmax(0,600fr)_minmax(0,364fr)]">
      {children}
    </div>
  );
}

function ConnectLink({ projectId, isPrimary = false }: { projectId: Id<'project'>; isPrimary?: boolean }) {
  return (
    <ButtonLink
      render={<Link to="/projects/$projectId/devices" params={{ projectId }} search={{}} hash="create" />}
      variant={isPrimary ? 'primary' : 'secondary'}
      icon={<Plus size={16} aria-hidden />}
      className={isPrimary ? '' : 'border-denim! text-denim!'}
    >
      {terms.create.devices}
    </ButtonLink>
  );
}

function NoDevices({ projectId }: { projectId: Id<'project'> }) {
  return (
    <Page>
      <SectionHeader />
      <EmptyState
        icon={<Cpu size={20} aria-hidden />}
        title={overviewCopy.emptyTitle}
        text={overviewCopy.emptyText}
        action={<ConnectLink projectId={projectId} isPrimary />}
      />
    </Page>
  );
}
