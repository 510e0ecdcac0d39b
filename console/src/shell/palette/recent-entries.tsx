import { Boxes, Cpu, FolderKanban, ListChecks, PackageOpen } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import { firstDevices } from '../../data/queries-projects.ts';
import { deviceName } from '../../parts/listed-device.ts';
import { type RecentItem, recentItems } from '../../parts/recent-items.ts';
import { paletteCopy } from './copy.ts';
import type { PaletteEntry } from './palette-entry.ts';
import type { PaletteEntities } from './use-palette-entities.ts';

const shownItems = 5;

const kinds = {
  project: { icon: FolderKanban, path: ({ id }: RecentItem) => `/projects/${id}/devices` },
  device: { icon: Cpu, path: ({ id, scopeId = '' }: RecentItem) => `/projects/${scopeId}/devices/${id}` },
  operation: {
    icon: ListChecks,
    path: ({ id, scopeId = '' }: RecentItem) => `/projects/${scopeId}/operations/${id}`,
  },
  repository: { icon: PackageOpen, path: ({ id }: RecentItem) => `/repositories/${id}/packages` },
  package: {
    icon: Boxes,
    path: ({ id, scopeId = '' }: RecentItem) => `/repositories/${scopeId}/packages/${id}`,
  },
};

/** The items that the user visited last, except the open page and deleted items. */
export function recentEntries(userId: string, path: string, entities: PaletteEntities): PaletteEntry[] {
  const shown = recentItems(userId).filter((item) => !path.includes(item.id) && isThere(item, entities));
  return shown.slice(0, shownItems).map((item) => {
    const { icon: Icon, path: pathOf } = kinds[item.kind];
    return {
      id: `recent ${item.id}`,
      label: nameOf(item, entities),
      icon: <Icon size={16} aria-hidden />,
      meta: paletteCopy.kinds[item.kind],
      tag: { value: item.id, what: terms.ids[item.kind] },
      target: { path: pathOf(item) },
    };
  });
}

/**
 * Whether an item still exists, as far as the loaded lists tell: where a list is incomplete, whether the scope of the item exists. Administrators see more
 * than their own lists.
 */
function isThere(
  { kind, id, scopeId }: RecentItem,
  { isAdmin, projects, current, own, repositories, repository, packages }: PaletteEntities,
): boolean {
  const hasProject = (one: string | undefined) =>
    isAdmin || projects.some(({ projectId }) => projectId === one);
  const hasRepository = (one: string | undefined) =>
    isAdmin || repositories.some(({ repositoryId }) => repositoryId === one);
  if (kind === 'project') return hasProject(id);
  if (kind === 'operation') return hasProject(scopeId);
  if (kind === 'repository') return hasRepository(id);
  if (kind === 'package')
    return (
      hasRepository(scopeId) &&
      (repository?.repositoryId !== scopeId ||
        packages.length === 0 ||
        packages.some((one) => one.packageId === id))
    );
  const isListWhole = current?.projectId === scopeId && own.length > 0 && own.length < firstDevices;
  return hasProject(scopeId) && (!isListWhole || own.some(({ deviceId }) => deviceId === id));
}

function nameOf({ kind, id, name }: RecentItem, { projects, own, repositories }: PaletteEntities): string {
  if (kind === 'project') return projects.find(({ projectId }) => projectId === id)?.name ?? name;
  if (kind === 'repository')
    return repositories.find(({ repositoryId }) => repositoryId === id)?.name ?? name;
  const device = kind === 'device' ? own.find(({ deviceId }) => deviceId === id) : undefined;
  return device === undefined ? name : deviceName(device);
}
