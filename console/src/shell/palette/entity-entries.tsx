import { foldText } from '@corral/contract';
import { ArrowRight, Bookmark, FolderKanban } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import { paletteCopy } from './copy.ts';
import { uiCopy } from '../../ui/copy.ts';
import { StatusDot } from '../../ui/badge/StatusDot.tsx';
import { deviceName, type ListedDevice } from '../../parts/listed-device.ts';
import { type SavedView, searchOfSavedView } from '../../parts/saved-view.ts';
import type { ProjectSummary } from '../../parts/project-order.ts';
import type { PaletteEntry } from './palette-entry.ts';
import type { SearchFields } from './rank.ts';

const searchFieldsCache = new WeakMap<ListedDevice, SearchFields>();

/** The search fields of a device; cached, because there may be ten thousand devices. */
export function deviceSearchFields(device: ListedDevice): SearchFields {
  const known = searchFieldsCache.get(device);
  if (known !== undefined) return known;
  const fields = {
    label: foldText(`${device.name ?? ''} ${device.hostname ?? ''}`.trim()),
    id: device.deviceId.toLowerCase(),
    words: device.isConnected ? 'connected' : 'disconnected',
  };
  searchFieldsCache.set(device, fields);
  return fields;
}

/** The search fields of a project. */
export function projectSearchFields({ name, projectId }: ProjectSummary): SearchFields {
  return { label: foldText(name), id: projectId.toLowerCase(), words: '' };
}

/** The line of a device; `meta` names its project, if it is another one. */
export function deviceEntry(projectId: string, device: ListedDevice, meta?: string): PaletteEntry {
  return {
    id: device.deviceId,
    label: deviceName(device),
    icon: (
      <span className={device.isConnected ? 'text-ok' : 'text-ink3'}>
        <StatusDot isHollow={!device.isConnected} />
      </span>
    ),
    tag: { value: device.deviceId, what: terms.ids.device },
    meta: meta ?? (device.isConnected ? undefined : uiCopy.device.disconnected),
    target: { path: `/projects/${projectId}/devices/${device.deviceId}` },
  };
}

/** The line of a project. */
export function projectEntry({ projectId, name }: ProjectSummary): PaletteEntry {
  return {
    id: projectId,
    label: name,
    icon: <FolderKanban size={16} aria-hidden />,
    tag: { value: projectId, what: terms.ids.project },
    target: { path: `/projects/${projectId}/devices` },
  };
}

/** The line of a saved view of the devices of a project. */
export function savedViewEntry(projectId: string, view: SavedView): PaletteEntry {
  return {
    id: `view ${projectId} ${view.name}`,
    label: view.name,
    icon: <Bookmark size={16} aria-hidden />,
    words: paletteCopy.words.view,
    target: { path: `/projects/${projectId}/devices`, search: searchOfSavedView(view) },
  };
}

/** The line that leads to the list of devices with the same filter; `n` is their number. */
export function allDevicesEntry(projectId: string, text: string, n: string): PaletteEntry {
  return {
    id: `all ${projectId}`,
    label: text === '' ? paletteCopy.allDevices(n) : paletteCopy.allMatches(n),
    icon: <ArrowRight size={16} aria-hidden />,
    target: {
      path: `/projects/${projectId}/devices`,
      ...(text !== '' && { search: { q: text } }),
    },
  };
}
