import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { ListFilter, PenLine, Plus, Tag, Trash2 } from 'lucide-react';
import { useRun } from '../../../data/action-mutation.ts';
import { runUndoable } from '../../../parts/undoable.ts';
import { useDialogTarget } from '../../../parts/use-dialog-target.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { useWriteBlock } from '../../../ui/action/write-block.ts';
import { LabelBadge } from '../../../ui/badge/LabelBadge.tsx';
import { Menu } from '../../../ui/overlay/Menu.tsx';
import { MenuItem } from '../../../ui/overlay/MenuItem.tsx';
import { MenuLink } from '../../../ui/overlay/MenuLink.tsx';
import { setLabel } from '../mutations.ts';
import { labelsCopy as words } from './copy.ts';
import { filterOfLabel, type Label, labelsIn } from './label-filter.ts';
import { LabelDialog, type LabelTask } from './LabelDialog.tsx';

/** The labels of a device in a row below its name: each leads to the devices that have it, and can be changed and removed. */
export function DeviceLabels({
  projectId,
  deviceId,
  metadata,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  /** Undefined until it is loaded. */
  metadata: Readonly<Record<string, unknown>> | undefined;
}) {
  const dialog = useDialogTarget<LabelTask>();
  const set = (label?: Label) =>
    dialog.open({
      kind: 'set',
      devices: { deviceIds: [deviceId] },
      ...(label === undefined ? {} : { label }),
    });
  const labels = labelsIn(metadata ?? {});
  return (
    // As high before the labels are loaded.
    <div
      role="group"
      aria-label={words.title}
      className="-mt-2 mb-4 flex min-h-7 flex-wrap items-center gap-1.5"
    >
      {labels.map((label) => (
        <LabelMenu key={label.name} {...{ projectId, deviceId, label, metadata }} onEdit={() => set(label)} />
      ))}
      {metadata !== undefined && (
        <Button
          size="small"
          variant="quiet"
          isWrite
          label={labels.length === 0 ? undefined : words.add}
          icon={labels.length === 0 ? <Tag size={14} aria-hidden /> : <Plus size={14} aria-hidden />}
          onClick={() => set()}
        >
          {labels.length === 0 ? words.add : undefined}
        </Button>
      )}
      <LabelDialog {...{ projectId, dialog }} />
    </div>
  );
}

function LabelMenu({
  projectId,
  deviceId,
  label,
  metadata,
  onEdit,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  label: Label;
  metadata: Readonly<Record<string, unknown>> | undefined;
  onEdit: () => void;
}) {
  const run = useRun();
  const blockedReason = useWriteBlock();
  const { name } = label;
  const filter = filterOfLabel(label);
  // Of another type than text it is restored as that.
  const value = metadata?.[name] as string | number | boolean;
  return (
    <Menu
      align="start"
      label={`${name}: ${label.value}`}
      trigger={<LabelBadge {...label} render={<button type="button" />} />}
    >
      {filter !== undefined && (
        <MenuLink
          icon={<ListFilter size={15} aria-hidden />}
          render={<Link to="/projects/$projectId/devices" params={{ projectId }} search={{ q: filter }} />}
        >
          {words.show(name, label.value)}
        </MenuLink>
      )}
      {filter !== undefined && (
        <>
          <MenuItem icon={<PenLine size={15} aria-hidden />} disabledReason={blockedReason} onSelect={onEdit}>
            {words.edit}
          </MenuItem>
          <MenuItem
            icon={<Trash2 size={15} aria-hidden />}
            tone="danger"
            disabledReason={blockedReason}
            onSelect={() =>
              runUndoable(
                run,
                setLabel,
                { deviceId, name },
                {
                  inverse: { deviceId, name, value },
                  done: words.removed(1, name),
                  failed: words.notRemoved,
                },
              )
            }
          >
            {words.removeVerb}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
