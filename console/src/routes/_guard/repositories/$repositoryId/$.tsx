import { createFileRoute } from '@tanstack/react-router';
import { NotFoundScreen, wayTo } from '../../../../shell/not-found/NotFoundScreen.tsx';

// An unknown page keeps the sidebar of what it would be in.
export const Route = createFileRoute('/_guard/repositories/$repositoryId/$')({ component: UnknownPage });

function UnknownPage() {
  const { repositoryId } = Route.useParams();
  return <NotFoundScreen back={wayTo('packages', { repositoryId })} />;
}
