import { createFileRoute } from '@tanstack/react-router';
import { parseNewOperationSearch } from '../../../../../features/operations/new/new-operation-search.ts';
import { NewOperationPage } from '../../../../../features/operations/new/NewOperationPage.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/operations/new')({
  validateSearch: parseNewOperationSearch,
  component: NewOperation,
});

function NewOperation() {
  const { projectId } = Route.useParams();
  return <NewOperationPage key={projectId} projectId={projectId} />;
}
