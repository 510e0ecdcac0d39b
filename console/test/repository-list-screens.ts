import { type ListScreen, removalOf } from './list-screen.ts';
import {
  asset,
  packageDetails,
  packageId,
  repository,
  repositoryAnswers,
  repositoryId,
  version,
  versionId,
  versions,
} from './repository-answers.ts';

const packageRow = (number: 1 | 2, name: string) => ({
  packageId: `pkg_${number}`,
  name,
  createdAt: '2026-11-01T10:00:00Z',
  versionCount: number,
});
const projectRow = (number: 1 | 2, name: string) => ({ projectId: `p_${number}`, name, devices: number });
const fileRow = (filename: string) => ({ ...version.assets[0]!, filename });
/** The list screens of a repository. */
export const repositoryListScreens: readonly ListScreen[] = [
  {
    file: 'features/packages/PackagesPage.tsx',
    address: `/repositories/${repositoryId}/packages`,
    table: 'Packages',
    columns: ['Name', 'Kind', 'Newest Version', 'Published', 'Versions', 'Actions'],
    empty: 'No packages',
    answers: (rows) => ({
      ...repositoryAnswers,
      repositories_GetRepositoryDetails: () => ({ ...repository, packageCount: rows.length }),
      repositories_QueryRepositoryPackages: () => ({ packages: [...rows] }),
    }),
    rows: [packageRow(2, 'winch'), packageRow(1, 'crane')],
    texts: ['winch', 'crane'],
    finds: 'winch',
    sort: { header: 'Name', id: 'name' },
    change: { topic: 'packages', repositoryId },
  },
  {
    file: 'features/repository-settings/LinkedProjectsCard.tsx',
    address: `/repositories/${repositoryId}/settings`,
    table: 'Linked projects',
    columns: ['Name', 'Project Id', 'Devices', 'Actions'],
    empty: 'No linked projects',
    answers: (rows) => ({
      ...repositoryAnswers,
      repositories_QueryRepositoryProjects: () => ({ projects: [...rows] }),
    }),
    rows: [projectRow(1, 'Harbour'), projectRow(2, 'Mill')],
    texts: ['Harbour', 'Mill'],
    finds: 'p_1',
    removal: removalOf(
      'projects_RemoveProjectRepository',
      { projectId: 'p_1', repositoryId },
      { path: ['Unlink project “Harbour”'], dialog: 'Unlink project “Harbour”', verb: 'Unlink' },
    ),
    change: { topic: 'repositories', repositoryId },
  },
  {
    file: 'features/packages/package/PackagePage.tsx',
    address: `/repositories/${repositoryId}/packages/${packageId}`,
    table: 'Versions',
    columns: ['Id', 'Name', 'Created At', 'Tags', 'Actions'],
    empty: 'No versions',
    answers: (rows) => ({
      ...repositoryAnswers,
      repositories_QueryPackageVersions: () => ({ versions: [...rows] }),
    }),
    rows: [versions[0]!, versions[1]!],
    texts: ['1.4.0', '1.3.2'],
    finds: '1.4.0',
    sort: { header: 'Name', id: 'name' },
    change: { topic: 'packages', repositoryId },
  },
  {
    file: 'features/packages/files/Files.tsx',
    address: `/repositories/${repositoryId}/packages/${packageId}/versions/${versionId}`,
    table: 'Files',
    columns: ['Filename', 'Digest', 'Size in bytes', 'Actions'],
    empty: 'No files',
    answers: (rows) => ({
      ...repositoryAnswers,
      repositories_GetPackageVersionDetails: () => ({ ...version, assets: [...rows] }),
    }),
    rows: [fileRow('winch.img'), fileRow('crane.img')],
    texts: ['winch.img', 'crane.img'],
    finds: 'winch.img',
    sort: { header: 'Filename', id: 'filename' },
    change: { topic: 'packages', repositoryId },
  },
  {
    file: 'features/packages/files/Files.tsx',
    address: `/repositories/${repositoryId}/packages/${packageId}/files`,
    table: 'Files',
    columns: ['Filename', 'Digest', 'Size in bytes', 'Actions'],
    empty: 'No files',
    answers: (rows) => ({
      ...repositoryAnswers,
      repositories_GetPackageDetails: () => ({ ...packageDetails, assets: [...rows] }),
    }),
    rows: [fileRow('manual.pdf'), fileRow('key.pem')],
    texts: ['manual.pdf', 'key.pem'],
    finds: 'manual.pdf',
    sort: { header: 'Filename', id: 'filename' },
    change: { topic: 'packages', repositoryId },
  },
  {
    file: 'features/assets/AssetsPage.tsx',
    address: `/repositories/${repositoryId}/assets`,
    table: 'Assets',
    columns: ['Name', 'Digest', 'Size', 'Status', 'Files', 'Created At', 'Actions'],
    empty: 'No assets',
    answers: (rows) => ({
      ...repositoryAnswers,
      repositories_GetRepositoryDetails: () => ({ ...repository, assetCount: rows.length }),
      repositories_QueryRepositoryAssets: () => ({ assets: [...rows] }),
    }),
    rows: [
      { ...asset, assetId: 'repo_a_2', size: 222 },
      { ...asset, assetId: 'repo_a_1', size: 111 },
    ],
    texts: ['222', '111'],
    finds: 'repo_a_2',
    sort: { header: 'Size', id: 'size' },
    change: { topic: 'assets', repositoryId },
  },
];
