import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Plus, Trash2 } from 'lucide-react';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { savedViewsQuery } from '../../data/queries-projects.ts';
import type { SavedView } from '../../parts/saved-view.ts';
import { runUndoable } from '../../parts/undoable.ts';
import { useWriteBlock } from '../../ui/action/write-block.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { MenuItem } from '../../ui/overlay/MenuItem.tsx';
import { MenuLabel } from '../../ui/overlay/MenuLabel.tsx';
import { MenuLink } from '../../ui/overlay/MenuLink.tsx';
import { MenuSeparator } from '../../ui/overlay/MenuSeparator.tsx';
import { devicesCopy } from './copy.ts';
import type { DevicesSearch } from './device-view.ts';
import { deleteSavedView, saveView } from './mutations.ts';
import { isShowing, searchOf } from './saved-views.ts';

const words = devicesCopy.views;

/** The saved views of a list of devices as items of its menu, with those that save the current view and delete the one that is shown. */
export function SavedViewItems({
  projectId,
  search,
  onSave,
}: {
  projectId: Id<'project'>;
  search: DevicesSearch;
  onSave: () => void;
}) {
  const { data, error } = useQuery(savedViewsQuery(projectId));
  const run = useRun();
  const blockedReason = useWriteBlock();
  const views = data?.views ?? [];
  const shown = views.filter((view) => isShowing(search, view));
  return (
    <>
      <div role="group" aria-label={words.title}>
        <MenuLabel>{words.title}</MenuLabel>
        {views.map((view) => (
          <ViewLink key={view.name} {...{ projectId, view }} isShown={shown.includes(view)} />
        ))}
        {views.length === 0 && (
          <MenuLabel>
            <span className="block max-w-56">{textWithoutViews(data !== undefined, error)}</span>
          </MenuLabel>
        )}
        <MenuItem icon={<Plus size={15} aria-hidden />} onSelect={onSave}>
          {words.save}
        </MenuItem>
        {shown.map((view) => (
          <MenuItem
            key={view.name}
            icon={<Trash2 size={15} aria-hidden />}
            tone="danger"
            disabledReason={blockedReason}
            onSelect={() => deleteView(run, projectId, view)}
          >
            {words.delete(view.name)}
          </MenuItem>
        ))}
      </div>
      <MenuSeparator />
    </>
  );
}

function textWithoutViews(isLoaded: boolean, error: Error | null): string {
  if (isLoaded) return words.empty;
  return error === null ? words.loading : messageOf(error);
}

function ViewLink({
  projectId,
  view,
  isShown,
}: {
  projectId: Id<'project'>;
  view: SavedView;
  isShown: boolean;
}) {
  return (
    <MenuLink
      icon={isShown && <Check size={15} aria-hidden className="text-denim" />}
      render={
        <Link
          to="/projects/$projectId/devices"
          params={{ projectId }}
          search={searchOf(view)}
          // Active only where all search parameters are equal.
          activeOptions={{ exact: true, includeSearch: true }}
        />
      }
    >
      {view.name}
    </MenuLink>
  );
}

function deleteView(run: Run, projectId: Id<'project'>, view: SavedView): void {
  const input = { projectId, name: view.name };
  runUndoable(run, deleteSavedView, input, {
    inverse: { projectId, ...view },
    inverseMutation: saveView,
    done: words.deleted(view.name),
    failed: words.notDeleted,
  });
}
