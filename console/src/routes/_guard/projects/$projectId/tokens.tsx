import { createFileRoute } from '@tanstack/react-router';
import { omitUndefined, searchText, asSearch } from '../../../../parts/search-values.ts';
import { TokensPage } from '../../../../features/tokens/TokensPage.tsx';
import { deploymentTokensQuery } from '../../../../data/queries-projects.ts';
import { formatSort, parseSort } from '../../../../ui/table/data-table.ts';

const sortable = ['name', 'createdAt', 'tokenId', 'autoAccept', 'lastUsed', 'devices'];

export const Route = createFileRoute('/_guard/projects/$projectId/tokens')({
  validateSearch: (search: Record<string, unknown>): { sort?: string } => {
    const sort = parseSort(searchText(search['sort']));
    return asSearch({ sort: sort && sortable.includes(sort.id) ? formatSort(sort) : undefined });
  },
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(deploymentTokensQuery(params.projectId)),
  component: Tokens,
});

function Tokens() {
  const { projectId } = Route.useParams();
  const { sort } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <TokensPage
      key={projectId}
      projectId={projectId}
      sort={parseSort(sort)}
      onSortChange={(next) =>
        void navigate({
          search: omitUndefined({ sort: formatSort(next) }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
