import { createFileRoute } from '@tanstack/react-router';
import { DocumentPage } from '../../features/documentation/DocumentPage.tsx';
import { readDocument } from '../../features/documentation/documents.ts';

export const Route = createFileRoute('/docs/$')({
  loader: ({ params }) => readDocument(params._splat ?? ''),
  component: DocumentRoute,
});

function DocumentRoute() {
  const text = Route.useLoaderData();
  const { _splat: slug = '' } = Route.useParams();
  return <DocumentPage slug={slug} text={text} />;
}
