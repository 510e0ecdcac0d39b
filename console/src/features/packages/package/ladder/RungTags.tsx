import { useState } from 'react';
import { Tooltip } from '../../../../ui/overlay/Tooltip.tsx';
import { packagesCopy } from '../../copy.ts';
import type { ListedVersion, PackageParams } from '../version-columns.tsx';
import { PlateShape } from './PlateShape.tsx';
import { type PlateActions, TagPlate } from './TagPlate.tsx';
import type { DraggedTag } from './use-plate-drag.ts';

const words = packagesCopy.ladder;
const shownAtFirst = 8;

/** The tags of a rung as plates, those that can move first; a tag that would land here is drawn dashed. */
export function RungTags({
  params,
  version,
  actions,
  dragged,
  landing,
}: {
  params: PackageParams;
  version: ListedVersion;
  /** Undefined for who may only read. */
  actions: PlateActions | undefined;
  dragged: DraggedTag | undefined;
  landing: string | undefined;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const tags = version.tags.toSorted((one, other) => Number(one.locked) - Number(other.locked));
  const shown = isOpen ? tags : tags.slice(0, shownAtFirst);
  if (tags.length === 0 && landing === undefined) return null;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5">
      {landing !== undefined && (
        <span className="inline-flex max-w-full rounded-control outline-1 outline-denim outline-dashed">
          <PlateShape tag={landing} />
        </span>
      )}
      {shown.map(({ tag, locked }) =>
        actions === undefined ? (
          <ReadPlate key={tag} tag={tag} isLocked={locked} />
        ) : (
          <TagPlate
            key={tag}
            {...{ params, tag, ...actions }}
            isLocked={locked}
            isDragged={dragged?.tag === tag}
          />
        ),
      )}
      {tags.length > shown.length && (
        <button
          type="button"
          onClick={() => setIsOpen(true)}
          className="touch-area h-6 rounded-control px-1.5 text-label text-ink2 hover:text-ink"
        >
          {words.moreTags(tags.length - shown.length)}
        </button>
      )}
    </div>
  );
}

function ReadPlate({ tag, isLocked }: { tag: string; isLocked: boolean }) {
  if (!isLocked) return <PlateShape tag={tag} />;
  return (
    <Tooltip content={packagesCopy.package.locked}>
      <span tabIndex={0} className="inline-flex max-w-full rounded-control">
        <PlateShape tag={tag} isLocked />
      </span>
    </Tooltip>
  );
}
