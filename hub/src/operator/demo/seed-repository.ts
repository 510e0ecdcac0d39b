import { createHash } from 'node:crypto';
import type { Id } from '@corral/contract';
import type { Executor } from '../../calls/executor.ts';
import { systemCaller } from '../../calls/handler.ts';
import { type DemoFile, type DemoPackage, demoPackages } from './demo-packages.ts';
import { type OwnAddress, uploadToOwnHub } from './upload-to-own-hub.ts';

const repositoryName = 'demo-firmware';

/** Where the demo repository is created. */
interface DemoPlace {
  readonly owner: Id<'user'>;
  /** The project whose devices may read it. */
  readonly projectId: Id<'project'>;
  /** Where the files are uploaded. */
  readonly hub: OwnAddress;
}

/** Publishes packages to a repository that is linked to the demo project, unless an earlier run did. */
export async function seedRepository(executor: Executor, place: DemoPlace): Promise<void> {
  const created = await executor.invoke(systemCaller, 'repositories_CreateRepository', {
    name: repositoryName,
    owner: place.owner,
  });
  if (created.result === 'NameAlreadyExists') return;
  const repositoryId = created.repositoryId as Id<'repository'>;
  for (const one of demoPackages) await publish(executor, repositoryId, one, place.hub);
  const { projectId } = place;
  await executor.invoke(systemCaller, 'projects_AddProjectRepository', { projectId, repositoryId });
}

async function publish(
  executor: Executor,
  repositoryId: Id<'repository'>,
  { name, kind, versions }: DemoPackage,
  hub: OwnAddress,
): Promise<void> {
  const created = await executor.invoke(systemCaller, 'repositories_CreatePackage', {
    repositoryId,
    name,
    kind,
  });
  if (created.result !== 'Created') return;
  const packageId = created.packageId as Id<'package'>;
  for (const version of versions) {
    const metadata = { commit: digestOf(version.name).slice(0, 8), board: 'GX-200' };
    const { versionId } = await executor.invoke(systemCaller, 'repositories_CreatePackageVersion', {
      packageId,
      name: version.name,
      metadata,
    });
    for (const file of version.files) {
      const content = contentOf(`${name} ${version.name}`, file);
      const assetId = await upload(executor, repositoryId, content, hub);
      const { filename } = file;
      await executor.invoke(systemCaller, 'repositories_AddPackageVersionAsset', {
        versionId,
        assetId,
        filename,
      });
    }
    // Tags last, so that none points at an incomplete version.
    await executor.invoke(systemCaller, 'repositories_TagPackageVersion', {
      versionId,
      tags: [...version.tags],
    });
  }
}

async function upload(
  executor: Executor,
  repositoryId: Id<'repository'>,
  content: Buffer,
  hub: OwnAddress,
): Promise<Id<'asset'>> {
  const digest = `sha256_${digestOf(content)}`;
  const size = content.length;
  const { result, assetId } = await executor.invoke(systemCaller, 'repositories_CreateAsset', {
    repositoryId,
    size,
    digest,
  });
  if (result === 'AssetAlreadyExists') return assetId as Id<'asset'>;
  const { url } = await executor.invoke(systemCaller, 'repositories_IssueAssetUploadUrl', { assetId });
  await uploadToOwnHub(url, content, hub);
  return assetId as Id<'asset'>;
}

/** Bytes that are the same in every run. */
function contentOf(title: string, { filename, sizeBytes, content }: DemoFile): Buffer {
  return Buffer.alloc(sizeBytes, `${content ?? `${title} ${filename}`}\n`);
}

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
