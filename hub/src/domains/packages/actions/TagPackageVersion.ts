import type { Handler } from '../../../calls/handler.ts';
import { mustWriteVersion, type VersionAccess, lockVersion } from '../../repositories/index.ts';
import { setTags } from '../sql/package-tags.ts';

/** Points tags at a version. */
export const TagPackageVersion: Handler<'repositories_TagPackageVersion', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run(context, access) {
    await lockVersion(context.tx, access);
    await setTags(context, access, context.input.tags);
    return {};
  },
};
