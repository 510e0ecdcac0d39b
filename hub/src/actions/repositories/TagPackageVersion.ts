import type { Handler } from '../../executor/handler.ts';
import { mustWriteVersion, type VersionAccess } from '../../policy/repositories.ts';
import { setTags } from '../../store/package-tags.ts';
import { lockVersion } from '../../store/repository-locks.ts';

/** Points tags at a version. */
export const TagPackageVersion: Handler<'repositories_TagPackageVersion', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run(context, access) {
    await lockVersion(context.tx, access);
    await setTags(context, access, context.input.tags);
    return {};
  },
};
