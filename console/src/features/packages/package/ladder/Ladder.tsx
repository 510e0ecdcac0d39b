import { useState } from 'react';
import { repositoryQuery } from '../../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../../data/use-loaded-query.ts';
import { useLast } from '../../../../parts/use-last.ts';
import { Card } from '../../../../ui/layout/Card.tsx';
import { packagesCopy } from '../../copy.ts';
import { packageLadderQuery } from '../../queries.ts';
import { MoveTagDialog } from '../../tags/MoveTagDialog.tsx';
import { SetTagButton } from '../../tags/SetTagButton.tsx';
import { useProposeTag } from '../../tags/use-propose-tag.ts';
import { useRemoveTag } from '../../tags/use-remove-tag.ts';
import { versionOptions } from '../../version-options.ts';
import type { ListedVersion, PackageParams } from '../version-columns.tsx';
import { ladderRows, type PlainRung, type Rung } from './ladder-rows.ts';
import { LadderFold } from './LadderFold.tsx';
import { LadderRung, type RungPlace } from './LadderRung.tsx';
import { PlateShape } from './PlateShape.tsx';
import { RungTags } from './RungTags.tsx';
import { type DraggedTag, type PlateDrag, usePlateDrag } from './use-plate-drag.ts';

const words = packagesCopy.ladder;

/** The newest and the tagged versions of a package along a rail, with the tags as plates that can be moved; nothing without versions. */
export function Ladder({
  params,
  versions,
}: {
  params: PackageParams;
  /** The newest versions of the package. */
  versions: readonly ListedVersion[];
}) {
  const { rungs } = useLoadedQuery(packageLadderQuery(params.packageId)).data;
  const { canWrite } = useLoadedQuery(repositoryQuery(params.repositoryId)).data;
  const propose = useProposeTag(params);
  const remove = useRemoveTag();
  const [moving, setMoving] = useState<DraggedTag>();
  const [landing, setLanding] = useState<PlateDrag>();
  const { drag, begin, float } = usePlateDrag(({ tag, from }, over) => {
    const versionId = over as ListedVersion['versionId'];
    setLanding({ tag, from, over });
    void propose({ tag, versionId, locked: false }).finally(() => setLanding(undefined));
  });
  const lastMoving = useLast(moving);
  const [newest] = rungs;
  if (newest === undefined) return null;
  const rows = ladderRows(rungs, versions);
  const listed = new Set(versions.map(({ versionId }) => versionId));
  const options = versionOptions([...versions, ...rungs.filter(({ versionId }) => !listed.has(versionId))]);
  const shownDrag = drag ?? landing;

  const rungOf = (version: PlainRung, older: Rung | undefined, place: RungPlace, isPlain = false) => {
    const { versionId } = version;
    const isOver = shownDrag?.over === versionId;
    const isPossible = drag !== undefined && drag.from !== versionId;
    return (
      <LadderRung
        key={versionId}
        {...{ params, version, older, place, isPlain }}
        isTarget={isOver ? 'over' : isPossible ? 'possible' : 'no'}
        tags={
          <RungTags
            {...{ params, version }}
            dragged={shownDrag}
            landing={isOver ? shownDrag.tag : undefined}
            actions={
              canWrite
                ? {
                    onPress: (event, tag) => begin(event, { tag, from: versionId }),
                    onMove: (tag) => setMoving({ tag, from: versionId }),
                    onLock: (tag) => void propose({ tag, versionId, locked: true }),
                    onRemove: (tag) => remove(tag, version),
                  }
                : undefined
            }
          />
        }
      />
    );
  };

  return (
    <Card
      isFlush
      className="mb-5"
      title={words.title}
      meta={canWrite && rungs.length > 1 && <span className="hidden text-small lg:inline">{words.hint}</span>}
      actions={<SetTagButton params={params} versions={options} />}
    >
      <ol
        aria-label={words.title}
        className={`py-2 ${drag === undefined ? '' : 'cursor-grabbing select-none'}`}
      >
        {rows.map((row, index) => {
          const isLast = index === rows.length - 1;
          const place = { isFirst: index === 0, isLast };
          return (
            <li key={row.kind === 'rung' ? row.version.versionId : `fold ${index}`}>
              {row.kind === 'rung' ? (
                rungOf(row.version, row.older, place)
              ) : (
                <LadderFold count={row.count} versions={row.versions} isLast={isLast}>
                  {(version) => rungOf(version, undefined, { isFirst: false, isLast: false }, true)}
                </LadderFold>
              )}
            </li>
          );
        })}
      </ol>
      {drag !== undefined && (
        <div ref={float} aria-hidden className="pointer-events-none fixed inset-0 z-50 size-fit shadow-float">
          <PlateShape tag={drag.tag} />
        </div>
      )}
      {lastMoving !== undefined && (
        <MoveTagDialog
          params={params}
          tag={lastMoving.tag}
          versions={options.filter(({ value }) => value !== lastMoving.from)}
          isOpen={moving !== undefined}
          onClose={() => setMoving(undefined)}
        />
      )}
    </Card>
  );
}
