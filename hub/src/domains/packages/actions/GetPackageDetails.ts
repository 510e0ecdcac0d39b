import { ids, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustReadPackage, type PackageAccess } from '../../repositories/index.ts';
import { readFiles, toFile } from '../sql/package-files.ts';

interface Row {
  readonly name: string;
  readonly kind: string | null;
  readonly metadata: Record<string, Json>;
  readonly version_count: number;
  readonly created_at: string;
}

/** Returns a package with its own files. */
export const GetPackageDetails: Handler<'repositories_GetPackageDetails', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustReadPackage(tx, actor, input.packageId),

  async run({ tx, input }, { repositoryId, packageId }) {
    const { rows } = await sql<Row>`
      select name, kind, metadata, version_count, created_at from packages where package_id = ${packageId}`.execute(
      tx,
    );
    const [row] = rows;
    if (row === undefined) throw notFound('Package');
    const files = await readFiles(tx, { kind: 'package', id: packageId });
    return {
      packageId: input.packageId,
      repositoryId: ids.repository.of(repositoryId),
      name: row.name,
      ...(row.kind === null ? {} : { kind: row.kind }),
      createdAt: row.created_at,
      versionCount: row.version_count,
      metadata: row.metadata,
      assets: files.map(toFile),
    };
  },
};
