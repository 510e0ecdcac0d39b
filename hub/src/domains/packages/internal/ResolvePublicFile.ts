import { ActionError } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Internal } from '../../../calls/handler.ts';
import { storedColumns, toFound, type FoundAsset, type StoredAsset } from '../../assets/index.ts';
import { joinVersion } from '../sql/tag-references.ts';

interface PublicPath {
  readonly repository: string;
  readonly package: string;
  readonly tag: string;
  readonly filename: string;
}

/** Finds a file of a public repository by names. A private repository is as if it did not exist. */
export const ResolvePublicFile: Internal<PublicPath, FoundAsset | { result: 'NotFound' }> = {
  name: 'repositories_ResolvePublicFile',
  isQuery: true,
  async run({ tx, input }) {
    const version = versionOf(input.tag);
    if (version === undefined) return { result: 'NotFound' };
    const { rows } = await sql<StoredAsset>`
      select ${storedColumns} from repositories r join packages p using (repository_id)
        ${version} join version_assets f on f.version_id = v.version_id and f.filename = ${input.filename}
        join assets a on a.asset_id = f.asset_id
      where r.name = ${input.repository} and r.visibility = 'Public' and p.name = ${input.package}`.execute(
      tx,
    );
    return toFound(rows[0]);
  },
};

/** In a path, a malformed reference names nothing. */
function versionOf(tag: string): RawBuilder<unknown> | undefined {
  try {
    return joinVersion(tag);
  } catch (error) {
    if (error instanceof ActionError) return undefined;
    throw error;
  }
}
