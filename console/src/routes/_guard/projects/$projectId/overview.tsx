import { createFileRoute } from '@tanstack/react-router';
import { historyQuery, overviewQuery } from '../../../../data/queries-projects.ts';
import { parseOverviewSearch } from '../../../../features/overview/overview-search.ts';
import { alertRulesQuery } from '../../../../parts/alerts/alerts.ts';
import { hubRange } from '../../../../parts/history/chart-range.ts';
import { OverviewPage } from '../../../../features/overview/OverviewPage.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/overview')({
  validateSearch: parseOverviewSearch,
  loaderDeps: ({ search: { by, range } }) => ({ by, range }),
  loader: async ({ context: { queryClient }, params: { projectId }, deps: { by, range } }) => {
    void queryClient.prefetchQuery(historyQuery(projectId, hubRange[range ?? '24h']));
    await Promise.all([
      queryClient.ensureQueryData(overviewQuery(projectId, by)),
      queryClient.prefetchQuery(alertRulesQuery({ projectId })),
    ]);
  },
  component: Overview,
});

function Overview() {
  const { projectId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <OverviewPage
      key={projectId}
      {...{ projectId, search }}
      onSearchChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
    />
  );
}
