import type { Handler } from '../../executor/handler.ts';
import { mustWriteVersion, type VersionAccess } from '../../policy/repositories.ts';
import { removeTags } from '../../store/package-tags.ts';
import { lockVersion } from '../../store/repository-locks.ts';

/** Removes tags from a version. */
export const UntagPackageVersion: Handler<'repositories_UntagPackageVersion', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run(context, access) {
    await lockVersion(context.tx, access);
    await removeTags(context, access, context.input.tags);
    return {};
  },
};
