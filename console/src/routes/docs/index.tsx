import { createFileRoute } from '@tanstack/react-router';
import { DocumentPage } from '../../features/documentation/DocumentPage.tsx';
import { readDocument } from '../../features/documentation/documents.ts';

export const Route = createFileRoute('/docs/')({
  loader: () => readDocument(''),
  component: FirstDocument,
});

function FirstDocument() {
  return <DocumentPage slug="" text={Route.useLoaderData()} />;
}
