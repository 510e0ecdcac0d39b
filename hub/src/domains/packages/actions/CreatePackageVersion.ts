import { ids, maxMetadataKib } from '@corral/contract';
import { sql } from 'kysely';
import { labelOrNull } from '../../../auth/names.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustWritePackage, type PackageAccess, lockPackage } from '../../repositories/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';
import { tokenIdOf } from '../../users/index.ts';
import { setTags } from '../sql/package-tags.ts';

/** Creates a version and tags it; if a tag cannot be set, there is no version either. */
export const CreatePackageVersion: Handler<'repositories_CreatePackageVersion', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustWritePackage(tx, actor, input.packageId),

  async run(context, { repositoryId, packageId }) {
    const { tx, actor, input, now, emit } = context;
    const name = labelOrNull(input.name, 'versionName');
    const metadata = jsonWithin(maxMetadataKib, 'Metadata', input.metadata ?? {});
    const rawId = newRawId();
    await lockPackage(tx, packageId);
    await sql`
      insert into package_versions (version_id, package_id, repository_id, name, metadata, created_at, created_by_token_id)
      values (${rawId}, ${packageId}, ${repositoryId}, ${name}, ${metadata}::jsonb, ${now}, ${tokenIdOf(actor)})`.execute(
      tx,
    );
    const versionId = ids.packageVersion.of(rawId);
    emit('repositories_VersionCreated', {
      repositoryId: ids.repository.of(repositoryId),
      packageId: input.packageId,
      versionId,
      ...(name === null ? {} : { name }),
    });
    await setTags(context, { repositoryId, packageId, versionId: rawId }, input.tags ?? []);
    return { result: 'Created', versionId };
  },
};
