import type { Output } from '@corral/contract';
import type { ListedVersion } from '../version-columns.tsx';

/** A version of the ladder with its figures. */
export type Rung = Output<'repositories_GetPackageLadder'>['rungs'][number];

/** A version without figures, of those between two rungs. */
export type PlainRung = ListedVersion & Partial<Pick<Rung, 'fileCount' | 'totalBytes' | 'step'>>;

/** A row of the ladder: a version with the next older one of the ladder, or the versions between two. */
export type LadderRow =
  | { readonly kind: 'rung'; readonly version: PlainRung; readonly older: Rung | undefined }
  | { readonly kind: 'fold'; readonly count: number; readonly versions: readonly ListedVersion[] };

// What is folded is a glance; the table has all.
const maxUnfolded = 20;

/** The rows of the ladder; what is folded has those of its newest versions that are among `listed`, the newest of the package. */
export function ladderRows(rungs: readonly Rung[], listed: readonly ListedVersion[]): LadderRow[] {
  return rungs.flatMap((version, index): LadderRow[] => {
    const older = rungs[index + 1];
    const rung = { kind: 'rung', version, older } as const;
    const count = version.olderCount;
    if (count === 0) return [rung];
    const place = listed.findIndex(({ versionId }) => versionId === version.versionId);
    const between = place < 0 ? [] : listed.slice(place + 1, place + 1 + count);
    const [only] = between;
    if (count === 1 && only !== undefined) return [rung, { kind: 'rung', version: only, older: undefined }];
    return [rung, { kind: 'fold', count, versions: between.slice(0, maxUnfolded) }];
  });
}
