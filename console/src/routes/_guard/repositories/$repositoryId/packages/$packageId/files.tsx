import { createFileRoute } from '@tanstack/react-router';
import { parseFileSearch } from '../../../../../../features/packages/files/file-search.ts';
import { PackageFilesPage } from '../../../../../../features/packages/files/PackageFilesPage.tsx';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/packages/$packageId/files')({
  validateSearch: parseFileSearch,
  component: PackageFiles,
});

function PackageFiles() {
  const { repositoryId, packageId } = Route.useParams();
  return <PackageFilesPage key={packageId} {...{ repositoryId, packageId }} />;
}
