import { enPalette } from '../../copy/en-palette.ts';
import type { ListedDevice } from '../devices/device-view.ts';
import {
  copyEntries,
  createEntries,
  everywhereEntries,
  pageActionEntries,
  upEntries,
} from './action-entries.tsx';
import type { PageAction } from './page-actions.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts';
import { pageEntries, projectPages } from './page-entries.tsx';
import { best, type Findable, isStrong, wordsOf } from './rank.ts';
import {
  allDevicesEntry,
  deviceEntry,
  findableDevice,
  findableProject,
  projectEntry,
} from './entity-entries.tsx';
import type { DevicesOfProject, PaletteEntities } from './use-palette-entities.ts';

/** Where the palette was opened, and what can be done from there. */
export type PaletteContext = {
  path: string;
  userId: string;
  deviceId: string | undefined;
  projectId: string | undefined;
  actions: readonly PageAction[];
  openSheet: () => void;
  logOut: () => void;
};

type Scored = PaletteGroup & { score: number };

const perGroup = 6;
const atFirst = 4;

/**
 * What the palette shows for `text`: the entities of the current project, then of the others, then pages and actions. Groups where
 * a word's beginning was met come before those where only letters inside a word were. Nothing typed: what is near.
 */
export function paletteGroups(
  text: string,
  entities: PaletteEntities,
  context: PaletteContext,
): PaletteGroup[] {
  const words = wordsOf(text);
  return words.length === 0 ? nearby(entities, context) : matching(text, words, entities, context);
}

function nearby(entities: PaletteEntities, context: PaletteContext): PaletteGroup[] {
  const { current, projects, isAdmin } = entities;
  const others = projects.filter((project) => project !== current).slice(0, atFirst);
  const { projectId, name } = current ?? {};
  return [
    ...(projectId === undefined || name === undefined
      ? []
      : [
          group('devices', enPalette.group.devicesOf(name), needingAttention(entities.own, projectId)),
          group('pages of', enPalette.group.pagesOf(name), projectPages(projectId)),
        ]),
    group(
      'projects',
      enPalette.group.projects,
      others.map((project) => projectEntry(project)),
    ),
    group('here', enPalette.group.here, pageActionEntries(context.actions)),
    group('up', enPalette.group.up, upEntries(context.path, name)),
    group('copy', enPalette.group.copy, idEntries(entities, context)),
    group('pages', enPalette.group.pages, pageEntries(isAdmin)),
    group('actions', enPalette.group.actions, [
      ...createEntriesNotOnPage(entities, context),
      ...everywhereEntries(context),
    ]),
  ].filter(({ items }) => items.length > 0);
}

function matching(
  text: string,
  words: readonly string[],
  entities: PaletteEntities,
  context: PaletteContext,
): PaletteGroup[] {
  const { current, projects, isAdmin } = entities;
  const found: Scored[] = [
    ...(current === undefined ? [] : [ownDevices(text, words, entities.own, current)]),
    scored(
      'projects',
      enPalette.group.projects,
      best(projects, words, findableProject, perGroup),
      projectEntry,
    ),
    otherDevices(words, entities.others),
    ...(current === undefined
      ? []
      : [entries('pages of', current.name, projectPages(current.projectId), words)]),
    entries('pages', enPalette.group.pages, pageEntries(isAdmin), words),
    entries('here', enPalette.group.here, pageActionEntries(context.actions), words),
    entries('up', enPalette.group.up, upEntries(context.path, current?.name), words),
    entries('copy', enPalette.group.copy, idEntries(entities, context), words),
    entries(
      'actions',
      enPalette.group.actions,
      [...createEntriesNotOnPage(entities, context), ...everywhereEntries(context)],
      words,
    ),
  ].filter(({ items }) => items.length > 0);
  return [...found.filter(({ score }) => isStrong(score)), ...found.filter(({ score }) => !isStrong(score))];
}

function ownDevices(
  text: string,
  words: readonly string[],
  own: readonly ListedDevice[],
  { projectId, name }: { projectId: string; name: string },
): Scored {
  const { found, total, score } = best(own, words, findableDevice, perGroup);
  const items = found.map((device) => deviceEntry(projectId, device));
  if (total > perGroup) items.push(allDevicesEntry(projectId, text.trim(), total));
  return { ...group('devices', enPalette.group.devicesOf(name), items), score };
}

function otherDevices(words: readonly string[], others: readonly DevicesOfProject[]): Scored {
  const all = others.flatMap(({ project, devices }) => devices.map((device) => ({ project, device })));
  return scored(
    'other devices',
    enPalette.group.otherDevices,
    best(all, words, ({ device }) => findableDevice(device), perGroup),
    ({ project, device }) => deviceEntry(project.projectId, device, project.name),
  );
}

// Of a list that nobody has asked for: what wants attention.
function needingAttention(own: readonly ListedDevice[], projectId: string): PaletteEntry[] {
  const weight = (device: ListedDevice): number =>
    device.pendingCertificatesCount > 0 ? 0 : device.isConnected ? 2 : 1;
  const first = [...own].sort((one, other) => weight(one) - weight(other)).slice(0, atFirst);
  const items = first.map((device) => deviceEntry(projectId, device));
  if (own.length > atFirst) items.push(allDevicesEntry(projectId, '', own.length));
  return items;
}

// What the page itself offers is not offered twice.
function createEntriesNotOnPage({ current }: PaletteEntities, { actions }: PaletteContext): PaletteEntry[] {
  return createEntries(current?.projectId).filter(
    ({ label }) => !actions.some((action) => action.label === label),
  );
}

function idEntries({ current, own }: PaletteEntities, context: PaletteContext): PaletteEntry[] {
  const device = own.find(({ deviceId }) => deviceId === context.deviceId);
  return copyEntries([
    ...(context.deviceId === undefined
      ? []
      : [{ value: context.deviceId, what: enPalette.deviceWhat, name: device?.name }]),
    ...(context.projectId === undefined
      ? []
      : [{ value: context.projectId, what: enPalette.projectWhat, name: current?.name }]),
    ...(context.path.startsWith('/settings') ? [{ value: context.userId, what: enPalette.userWhat }] : []),
  ]);
}

function entries(id: string, label: string, all: readonly PaletteEntry[], words: readonly string[]): Scored {
  return scored(id, label, best(all, words, findableEntry, perGroup), (entry) => entry);
}

function findableEntry({ label, words = '' }: PaletteEntry): Findable {
  return { label: label.toLowerCase(), id: '', words };
}

function scored<Entity>(
  id: string,
  label: string,
  { found, score }: { found: readonly Entity[]; score: number },
  entryOf: (entity: Entity) => PaletteEntry,
): Scored {
  return {
    ...group(
      id,
      label,
      found.map((entity) => entryOf(entity)),
    ),
    score,
  };
}

function group(id: string, label: string, items: readonly PaletteEntry[]): PaletteGroup {
  return { id, label, items };
}
