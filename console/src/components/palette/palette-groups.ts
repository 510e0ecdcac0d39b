import { enPalette } from '../../copy/en-palette.ts';
import type { ListedDevice } from '../devices/device-view.ts';
import {
  copyEntries,
  createEntries,
  everywhereEntries,
  pageDeedEntries,
  upEntries,
} from './deed-entries.tsx';
import type { PageDeed } from './page-deeds.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts';
import { placeEntries, projectPages } from './place-entries.tsx';
import { best, type Findable, isStrong, wordsOf } from './rank.ts';
import {
  allDevicesEntry,
  deviceEntry,
  findableDevice,
  findableProject,
  projectEntry,
} from './thing-entries.tsx';
import type { DevicesOfProject, PaletteThings } from './use-palette-things.ts';

/** Where the palette was opened, and what can be done from there. */
export type PaletteSurroundings = {
  path: string;
  userId: string;
  deviceId: string | undefined;
  projectId: string | undefined;
  deeds: readonly PageDeed[];
  openSheet: () => void;
  logOut: () => void;
};

type Scored = PaletteGroup & { score: number };

const perGroup = 6;
const atFirst = 4;

/**
 * What the palette shows for `text`: the things of the current project, then of the others, then pages and deeds. Groups where
 * a word's beginning was met come before those where only letters inside a word were. Nothing typed: what is near.
 */
export function paletteGroups(
  text: string,
  things: PaletteThings,
  around: PaletteSurroundings,
): PaletteGroup[] {
  const words = wordsOf(text);
  return words.length === 0 ? nearby(things, around) : matching(text, words, things, around);
}

function nearby(things: PaletteThings, around: PaletteSurroundings): PaletteGroup[] {
  const { current, projects, isAdmin } = things;
  const others = projects.filter((project) => project !== current).slice(0, atFirst);
  const { projectId, name } = current ?? {};
  return [
    ...(projectId === undefined || name === undefined
      ? []
      : [
          group('devices', enPalette.group.devicesOf(name), troubled(things.own, projectId)),
          group('pages of', enPalette.group.pagesOf(name), projectPages(projectId)),
        ]),
    group(
      'projects',
      enPalette.group.projects,
      others.map((project) => projectEntry(project)),
    ),
    group('here', enPalette.group.here, pageDeedEntries(around.deeds)),
    group('up', enPalette.group.up, upEntries(around.path, name)),
    group('copy', enPalette.group.copy, idEntries(things, around)),
    group('pages', enPalette.group.pages, placeEntries(isAdmin)),
    group('deeds', enPalette.group.deeds, [...newDeeds(things, around), ...everywhereEntries(around)]),
  ].filter(({ items }) => items.length > 0);
}

function matching(
  text: string,
  words: readonly string[],
  things: PaletteThings,
  around: PaletteSurroundings,
): PaletteGroup[] {
  const { current, projects, isAdmin } = things;
  const found: Scored[] = [
    ...(current === undefined ? [] : [ownDevices(text, words, things.own, current)]),
    scored(
      'projects',
      enPalette.group.projects,
      best(projects, words, findableProject, perGroup),
      projectEntry,
    ),
    otherDevices(words, things.others),
    ...(current === undefined
      ? []
      : [entries('pages of', current.name, projectPages(current.projectId), words)]),
    entries('pages', enPalette.group.pages, placeEntries(isAdmin), words),
    entries('here', enPalette.group.here, pageDeedEntries(around.deeds), words),
    entries('up', enPalette.group.up, upEntries(around.path, current?.name), words),
    entries('copy', enPalette.group.copy, idEntries(things, around), words),
    entries(
      'deeds',
      enPalette.group.deeds,
      [...newDeeds(things, around), ...everywhereEntries(around)],
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
function troubled(own: readonly ListedDevice[], projectId: string): PaletteEntry[] {
  const weight = (device: ListedDevice): number =>
    device.pendingCertificatesCount > 0 ? 0 : device.isConnected ? 2 : 1;
  const first = [...own].sort((one, other) => weight(one) - weight(other)).slice(0, atFirst);
  const items = first.map((device) => deviceEntry(projectId, device));
  if (own.length > atFirst) items.push(allDevicesEntry(projectId, '', own.length));
  return items;
}

// What the page itself offers is not offered twice.
function newDeeds({ current }: PaletteThings, { deeds }: PaletteSurroundings): PaletteEntry[] {
  return createEntries(current?.projectId).filter(({ label }) => !deeds.some((deed) => deed.label === label));
}

function idEntries({ current, own }: PaletteThings, around: PaletteSurroundings): PaletteEntry[] {
  const device = own.find(({ deviceId }) => deviceId === around.deviceId);
  return copyEntries([
    ...(around.deviceId === undefined
      ? []
      : [{ value: around.deviceId, what: enPalette.deviceWhat, name: device?.name }]),
    ...(around.projectId === undefined
      ? []
      : [{ value: around.projectId, what: enPalette.projectWhat, name: current?.name }]),
    ...(around.path.startsWith('/settings') ? [{ value: around.userId, what: enPalette.userWhat }] : []),
  ]);
}

function entries(id: string, label: string, all: readonly PaletteEntry[], words: readonly string[]): Scored {
  return scored(id, label, best(all, words, findableEntry, perGroup), (entry) => entry);
}

function findableEntry({ label, words = '' }: PaletteEntry): Findable {
  return { label: label.toLowerCase(), id: '', words };
}

function scored<Thing>(
  id: string,
  label: string,
  { found, score }: { found: readonly Thing[]; score: number },
  entryOf: (thing: Thing) => PaletteEntry,
): Scored {
  return {
    ...group(
      id,
      label,
      found.map((thing) => entryOf(thing)),
    ),
    score,
  };
}

function group(id: string, label: string, items: readonly PaletteEntry[]): PaletteGroup {
  return { id, label, items };
}
