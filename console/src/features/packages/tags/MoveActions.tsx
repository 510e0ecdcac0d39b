import type { Output } from '@corral/contract';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { packagesCopy } from '../copy.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import { versionName } from '../version-name.ts';
import type { WantedTag } from './tag-change.ts';
import { useProposeTag } from './use-propose-tag.ts';

type Move = Output<'repositories_QueryTagHistory'>['moves'][number];

const words = packagesCopy.history;

/** Points a tag back to where a change of it left it, or locks it where it is; for those who may write, unless it is locked. */
export function MoveActions({
  params,
  move,
  newest,
}: {
  params: PackageParams;
  move: Move;
  /** The last change of the same tag. */
  newest: Move | undefined;
}) {
  const proposeTag = useProposeTag(params);
  const { canWrite } = useLoadedQuery(repositoryQuery(params.repositoryId)).data;
  const { tag } = move;
  const current = newest?.to;
  if (!canWrite || (newest?.locked === true && current !== undefined)) return null;
  const propose = (wanted: Omit<WantedTag, 'tag'>): Promise<void> => proposeTag({ tag, ...wanted });
  if (move === newest && current !== undefined)
    return (
      <Button
        size="small"
        isWrite
        label={words.lockOf(tag)}
        onClick={() => propose({ versionId: current.versionId, locked: true })}
      >
        {words.lock}
      </Button>
    );
  const earlier = move.to ?? move.from;
  if (earlier?.exists !== true || earlier.versionId === current?.versionId) return null;
  return (
    <Button
      size="small"
      isWrite
      label={words.backOf(versionName(earlier), tag)}
      onClick={() => propose({ versionId: earlier.versionId, locked: false })}
    >
      {words.back(versionName(earlier))}
    </Button>
  );
}
