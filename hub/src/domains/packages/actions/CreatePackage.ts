import { ids, maxMetadataKib } from '@corral/contract';
import { sql } from 'kysely';
import { labelOrNull, mustBePathName } from '../../../auth/names.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Handler } from '../../../calls/handler.ts';
import { mustWriteRepository, type RepositoryAccess, lockName } from '../../repositories/index.ts';
import { jsonWithin } from '../../../calls/sizes.ts';

/** Creates a package with an unused name. */
export const CreatePackage: Handler<'repositories_CreatePackage', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteRepository(tx, actor, input.repositoryId),

  async run({ tx, input, now, emit }, { repositoryId }) {
    const name = mustBePathName(input.name, 'packageName');
    const kind = labelOrNull(input.kind, 'packageKind');
    const metadata = jsonWithin(maxMetadataKib, 'Metadata', input.metadata ?? {});
    const rawId = newRawId();
    await lockName(tx, repositoryId, name);
    const { rows } = await sql`
      insert into packages (package_id, repository_id, name, kind, metadata, created_at)
      values (${rawId}, ${repositoryId}, ${name}, ${kind}, ${metadata}::jsonb, ${now})
      on conflict (repository_id, name) do nothing returning 1`.execute(tx);
    if (rows.length === 0) return { result: 'NameAlreadyExists' };
    const packageId = ids.package.of(rawId);
    emit('repositories_PackageCreated', { repositoryId: input.repositoryId, packageId, name });
    return { result: 'Created', packageId };
  },
};
