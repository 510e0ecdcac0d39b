import type { Handler } from '../../../calls/handler.ts';
import { mustWriteVersion, type VersionAccess, lockVersion } from '../../repositories/index.ts';
import { removeTags } from '../sql/package-tags.ts';

/** Removes tags from a version. */
export const UntagPackageVersion: Handler<'repositories_UntagPackageVersion', VersionAccess> = {
  authorize: ({ tx, actor, input }) => mustWriteVersion(tx, actor, input.versionId),

  async run(context, access) {
    await lockVersion(context.tx, access);
    await removeTags(context, access, context.input.tags);
    return {};
  },
};
