import type { AnswerTable } from '@corral/client';
import type { Output } from '@corral/contract';
import { signedIn, userId } from './render-console.tsx';

/** The repository in `repositoryAnswers`. */
export const repositoryId = 'repo_7KqW2x9RvHy8cBq1sw7Fd4';
/** Its package. */
export const packageId = 'pkg_9fKqW2x9RvHy8cBq1sw7Fd';
/** The newest version of the package. */
export const versionId = 'pkg_v_3vPxW2x9RvHy8cBq1sw7Fe';
/** The version before. */
export const earlierVersionId = 'pkg_v_X8dnW2x9RvHy8cBq1sw7Ff';
/** The asset of a file of both versions. */
export const assetId = 'repo_a_7KqW2x9RvHy8cBq1sw7Fd4';

const digest = `sha256_${'5f'.repeat(32)}`;

/** The details of the repository. */
export const repository: Output<'repositories_GetRepositoryDetails'> = {
  repositoryId,
  name: 'harbour-firmware',
  displayName: 'harbour-firmware',
  publicName: 'harbour-firmware',
  visibility: 'Private',
  packageCount: 2,
  assetCount: 2,
  createdAt: '2026-10-01T10:00:00Z',
  isOwner: true,
  canWrite: true,
  usedBytes: 12_582_912,
};

/** A file of a version. */
export const file: Output<'repositories_GetPackageVersionDetails'>['assets'][number] = {
  filename: 'crane.img',
  assetId,
  size: 12_582_912,
  digest,
  status: 'Available',
  metadata: {},
};

/** The details of the package. */
export const packageDetails: Output<'repositories_GetPackageDetails'> = {
  packageId,
  repositoryId,
  name: 'crane-firmware',
  kind: 'image',
  createdAt: '2026-10-02T10:00:00Z',
  versionCount: 2,
  metadata: {},
  assets: [],
};

/** The details of the newest version. */
export const version: Output<'repositories_GetPackageVersionDetails'> = {
  versionId,
  name: '1.4.0',
  createdAt: '2026-11-01T10:00:00Z',
  repositoryId,
  packageId,
  packageName: 'crane-firmware',
  metadata: { commit: '0f3c9a1', target: { arch: 'arm64' } },
  assets: [file],
  tags: [
    { tag: 'latest', locked: false },
    { tag: 'v1.4.0', locked: true },
  ],
};

/** Both versions, as the list of the package has them. */
export const versions: Output<'repositories_QueryPackageVersions'>['versions'] = [
  { versionId, name: '1.4.0', createdAt: version.createdAt, tags: version.tags },
  {
    versionId: earlierVersionId,
    name: '1.3.2',
    createdAt: '2026-10-20T10:00:00Z',
    tags: [{ tag: 'stable', locked: false }],
  },
];

/** The ladder of the package. */
export const rungs: Output<'repositories_GetPackageLadder'>['rungs'] = [
  {
    ...versions[0]!,
    fileCount: 2,
    totalBytes: 12_582_912,
    olderCount: 0,
    step: { changedFiles: 1, bytesToFetch: 2_202_010 },
  },
  { ...versions[1]!, fileCount: 1, totalBytes: 12_000_000, olderCount: 0 },
];

/** The details of the asset. */
export const asset: Output<'repositories_GetAssetDetails'> = {
  assetId,
  repositoryId,
  size: file.size,
  digest,
  status: 'Available',
  createdAt: '2026-11-01T09:59:00Z',
  referenceCount: 2,
  storage: { status: 'Verified', checkedAt: '2026-11-20T10:00:00Z' },
};

/** The changes of the tags of the package. */
export const tagMoves: Output<'repositories_QueryTagHistory'>['moves'] = [
  {
    tag: 'latest',
    movedAt: '2026-11-01T10:00:00Z',
    actor: { actor: 'User', kind: 'User', userId: 'u_7KqW2x9RvHy8cBq1sw7Fd4' },
    from: { versionId: earlierVersionId, name: '1.3.2', exists: true },
    to: { versionId, name: '1.4.0', exists: true },
    locked: false,
    eventId: 'audit_ev_20261101-1000-aaaaaaaa',
  },
];

/** The answers that every page of the repository needs. */
export const repositoryAnswers: AnswerTable = {
  ...signedIn,
  repositories_QueryRepositoryInvitations: () => ({ invitations: [] }),
  users_QueryUserRepositories: () => ({
    repositories: [
      {
        repositoryId,
        name: repository.name,
        createdAt: repository.createdAt,
        packageCount: 2,
        isOwner: true,
        isMember: true,
        visibility: 'Private',
        usedBytes: repository.usedBytes,
        newestVersion: {
          versionId,
          name: '1.4.0',
          createdAt: version.createdAt,
          packageId,
          packageName: 'crane-firmware',
        },
      },
    ],
  }),
  repositories_GetRepositoryDetails: () => repository,
  repositories_QueryRepositoryPackages: () => ({
    packages: [
      {
        packageId,
        name: 'crane-firmware',
        kind: 'image',
        createdAt: '2026-10-02T10:00:00Z',
        versionCount: 2,
        newestVersion: { versionId, name: '1.4.0', createdAt: version.createdAt },
      },
    ],
  }),
  repositories_GetPackageDetails: () => packageDetails,
  repositories_QueryPackageVersions: () => ({ versions }),
  repositories_GetPackageLadder: () => ({ rungs }),
  repositories_GetPackageVersionDetails: () => version,
  repositories_QueryRepositoryAssets: () => ({ assets: [asset] }),
  repositories_GetAssetDetails: () => asset,
  repositories_QueryAssetReferences: () => ({
    references: [
      {
        packageId,
        packageName: 'crane-firmware',
        versionId,
        versionName: '1.4.0',
        filename: file.filename,
        addedAt: version.createdAt,
      },
    ],
  }),
  repositories_QueryTagHistory: () => ({ moves: tagMoves }),
  repositories_CompareVersions: () => ({
    from: { versionId: earlierVersionId, name: '1.3.2', createdAt: '2026-10-20T10:00:00Z' },
    to: { versionId, name: '1.4.0', createdAt: version.createdAt },
    files: [
      {
        filename: 'crane.img',
        change: 'Changed',
        hasOtherMetadata: false,
        from: {
          assetId: 'repo_a_8',
          size: 12_000_000,
          digest: `sha256_${'a1'.repeat(32)}`,
          status: 'Available',
        },
        to: { assetId, size: file.size, digest, status: 'Available' },
      },
      {
        filename: 'notes.txt',
        change: 'Same',
        hasOtherMetadata: false,
        from: { assetId: 'repo_a_9', size: 120, digest: `sha256_${'b2'.repeat(32)}`, status: 'Available' },
        to: { assetId: 'repo_a_9', size: 120, digest: `sha256_${'b2'.repeat(32)}`, status: 'Available' },
      },
    ],
    metadata: [{ key: 'commit', from: '77ad012', to: '0f3c9a1' }],
    totalBytes: file.size,
    bytesToFetch: file.size,
  }),
  repositories_GetObjectStore: () => ({ kind: 'Disk', findings: [] }),
  repositories_QueryRepositoryProjects: () => ({ projects: [] }),
  repositories_QueryAuditLogEvents: () => ({ events: [] }),
  repositories_QueryRepositoryServiceAccounts: () => ({ serviceAccounts: [] }),
  repositories_QueryRepositoryMembers: () => ({
    members: [{ userId, displayName: 'Mara Keller', email: 'mara@harbour.example', isOwner: true }],
  }),
  cluster_GetClusterDetails: () => ({ nodes: [] }),
};
