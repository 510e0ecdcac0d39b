import { Link } from '@tanstack/react-router';
import { History, Lock, MoveVertical, Trash2 } from 'lucide-react';
import type { MouseEvent, PointerEvent } from 'react';
import { useWriteBlock } from '../../../../ui/action/write-block.ts';
import { Menu } from '../../../../ui/overlay/Menu.tsx';
import { MenuItem } from '../../../../ui/overlay/MenuItem.tsx';
import { MenuLabel } from '../../../../ui/overlay/MenuLabel.tsx';
import { MenuLink } from '../../../../ui/overlay/MenuLink.tsx';
import { MenuSeparator } from '../../../../ui/overlay/MenuSeparator.tsx';
import { packagesCopy } from '../../copy.ts';
import type { PackageParams } from '../version-columns.tsx';
import { PlateShape } from './PlateShape.tsx';

const words = packagesCopy.ladder;

/** What can be done with a tag. */
export interface PlateActions {
  readonly onPress: (event: PointerEvent, tag: string) => void;
  readonly onMove: (tag: string) => void;
  readonly onLock: (tag: string) => void;
  readonly onRemove: (tag: string) => void;
}

/** The plate of a tag with its menu; one that is not locked can also be dragged. */
export function TagPlate({
  params,
  tag,
  isLocked,
  isDragged,
  onPress,
  onMove,
  onLock,
  onRemove,
}: {
  params: PackageParams;
  tag: string;
  isLocked: boolean;
  isDragged: boolean;
} & PlateActions) {
  const blocked = useWriteBlock();
  const canDrag = !isLocked && blocked === undefined;
  return (
    <Menu
      align="start"
      label={words.plate(tag)}
      trigger={
        <button
          type="button"
          aria-label={isLocked ? words.lockedPlate(tag) : words.plate(tag)}
          onPointerDown={(event) => {
            opensByClick(event);
            if (canDrag) onPress(event, tag);
          }}
          onMouseDown={opensByClick}
          className={`touch-area inline-flex max-w-full rounded-control align-middle select-none hover:brightness-97 ${canDrag ? 'cursor-grab' : ''} ${isDragged ? 'opacity-40' : ''}`}
        >
          <PlateShape {...{ tag, isLocked }} />
        </button>
      }
    >
      {isLocked ? (
        <MenuLabel>{packagesCopy.package.locked}</MenuLabel>
      ) : (
        <>
          <MenuItem
            icon={<MoveVertical size={15} aria-hidden />}
            disabledReason={blocked}
            onSelect={() => onMove(tag)}
          >
            {words.move}
          </MenuItem>
          <MenuItem
            icon={<Lock size={15} aria-hidden />}
            disabledReason={blocked}
            onSelect={() => onLock(tag)}
          >
            {words.lock}
          </MenuItem>
        </>
      )}
      <MenuLink
        icon={<History size={15} aria-hidden />}
        render={
          <Link to="/repositories/$repositoryId/packages/$packageId/tags" params={params} search={{ tag }} />
        }
      >
        {packagesCopy.package.history}
      </MenuLink>
      {!isLocked && (
        <>
          <MenuSeparator />
          <MenuItem
            tone="danger"
            icon={<Trash2 size={15} aria-hidden />}
            disabledReason={blocked}
            onSelect={() => onRemove(tag)}
          >
            {words.remove}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** The menu opens when the press is a click, since it may become a drag. */
function opensByClick(event: MouseEvent | PointerEvent): void {
  (event as Partial<{ preventBaseUIHandler: () => void }>).preventBaseUIHandler?.();
}
