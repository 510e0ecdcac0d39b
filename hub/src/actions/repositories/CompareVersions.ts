import { ActionError, ids, type Id } from '@corral/contract';
import type { Database } from '../../db/connect.ts';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { mustReadVersion, type VersionAccess } from '../../policy/repositories.ts';
import { bytesOf, compareFiles, compareMetadata, readFilePairs } from '../../store/compare-versions.ts';
import { readVersion } from '../../store/package-versions.ts';

interface Compared {
  readonly from: VersionAccess;
  readonly to: VersionAccess;
}

/** Compares two versions of a package by files, sizes, digests and metadata. */
export const CompareVersions: Handler<'repositories_CompareVersions', Compared> = {
  async authorize({ tx, actor, input }) {
    const from = await mustReadVersion(tx, actor, input.fromVersionId);
    const to = await mustReadVersion(tx, actor, input.toVersionId);
    return { from, to };
  },

  async run({ tx }, access) {
    if (access.from.packageId !== access.to.packageId)
      throw new ActionError('Invalid', 'Both versions must be of the same package.');
    const from = await readLabelled(tx, access.from.versionId);
    const to = await readLabelled(tx, access.to.versionId);
    const pairs = await readFilePairs(tx, access.from.versionId, access.to.versionId);
    return {
      from: from.label,
      to: to.label,
      files: compareFiles(pairs),
      metadata: compareMetadata(from.metadata, to.metadata),
      ...bytesOf(pairs),
    };
  },
};

async function readLabelled(tx: Database, versionId: string) {
  const version = await readVersion(tx, versionId);
  if (version === undefined) throw notFound('Version');
  const label = {
    versionId: ids.packageVersion.of(versionId) as Id<'packageVersion'>,
    ...(version.name === null ? {} : { name: version.name }),
    createdAt: version.created_at,
  };
  return { label, metadata: version.metadata };
}
