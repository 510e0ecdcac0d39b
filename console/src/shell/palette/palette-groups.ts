import { foldText } from '@corral/contract';
import { terms } from '../../copy/terms.ts';
import { paletteCopy } from './copy.ts';
import { countOrMore } from '../../copy/count.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';
import type { ProjectSummary } from '../../parts/project-order.ts';
import {
  copyEntries,
  createEntries,
  globalEntries,
  pageActionEntries,
  upEntries,
} from './action-entries.tsx';
import type { PageAction } from '../../parts/page-actions.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts';
import { adminEntries, pageEntries, projectPages, repositoryPages } from './page-entries.tsx';
import { bestMatches, type SearchFields, isStrong, wordsOf } from './rank.ts';
import {
  allDevicesEntry,
  deviceEntry,
  deviceSearchFields,
  projectSearchFields,
  projectEntry,
  savedViewEntry,
} from './entity-entries.tsx';
import {
  packageEntry,
  packageSearchFields,
  repositoryEntry,
  repositorySearchFields,
} from './repository-entries.tsx';
import { recentEntries } from './recent-entries.tsx';
import type { DevicesOfProject, OpenIds, PaletteEntities } from './use-palette-entities.ts';

/** The page on which the palette was opened, and its actions. */
export type PaletteContext = {
  path: string;
  userId: string;
  /** The ids in its address. */
  ids: OpenIds & { deviceId?: string; packageId?: string; versionId?: string };
  actions: readonly PageAction[];
  openSheet: () => void;
  logOut: () => void;
};

type Scored = PaletteGroup & { score: number };

const groupLimit = 6;
const suggestionLimit = 4;

/**
 * The results for `text`: entities of the current project, then of others, then pages and actions. Groups with a match at the start of
 * a word come before groups that match only inside words. Without text: suggestions.
 */
export function paletteGroups(
  text: string,
  entities: PaletteEntities,
  context: PaletteContext,
): PaletteGroup[] {
  const words = wordsOf(text);
  return words.length === 0 ? suggestions(entities, context) : matching(text, words, entities, context);
}

function suggestions(entities: PaletteEntities, context: PaletteContext): PaletteGroup[] {
  const { current, projects, repositories, isAdmin } = entities;
  const others = projects.filter((project) => project !== current).slice(0, suggestionLimit);
  return [
    group('recent', paletteCopy.group.recent, recentEntries(context.userId, context.path, entities)),
    ...openRepositoryGroups(entities),
    ...(current === undefined
      ? []
      : [
          group(
            'devices',
            paletteCopy.group.devicesOf(current.name),
            needingAttention(entities.own, current),
          ),
          group(
            'pages of',
            paletteCopy.group.pagesOf(current.name),
            projectPages(current.projectId, isAdmin),
          ),
          group(
            'views of',
            paletteCopy.group.viewsOf(current.name),
            viewEntries(entities, current.projectId).slice(0, suggestionLimit),
          ),
        ]),
    group(
      'projects',
      terms.sections.projects,
      others.map((project) => projectEntry(project)),
    ),
    group(
      'repositories',
      terms.sections.repositories,
      repositories
        .filter((one) => one !== entities.repository)
        .slice(0, suggestionLimit)
        .map(repositoryEntry),
    ),
    group('here', paletteCopy.group.here, pageActionEntries(context.actions)),
    group('up', paletteCopy.group.up, upEntries(context.path, nameOfScope(entities, context))),
    group('copy', paletteCopy.group.copy, idEntries(entities, context)),
    group('pages', paletteCopy.group.pages, pageEntries(isAdmin)),
    group('administration', terms.sections.administration, adminEntries(isAdmin)),
    group('actions', paletteCopy.group.actions, [
      ...createEntriesNotOnPage(entities, context),
      ...globalEntries(context),
    ]),
  ].filter(({ items }) => items.length > 0);
}

function matching(
  text: string,
  words: readonly string[],
  entities: PaletteEntities,
  context: PaletteContext,
): PaletteGroup[] {
  const { current, projects, repository, repositories, packages, isAdmin } = entities;
  const found: Scored[] = [
    ...(repository === undefined
      ? []
      : [
          scored(
            'packages',
            paletteCopy.group.packagesOf(repository.name),
            bestMatches(packages, words, packageSearchFields, groupLimit),
            (one) => packageEntry(repository.repositoryId, one),
          ),
          entries('pages of repository', repository.name, repositoryPages(repository, isAdmin), words),
        ]),
    ...(current === undefined ? [] : [ownDevices(text, words, entities, current)]),
    scored(
      'projects',
      terms.sections.projects,
      bestMatches(projects, words, projectSearchFields, groupLimit),
      projectEntry,
    ),
    otherDevices(words, entities.others),
    scored(
      'repositories',
      terms.sections.repositories,
      bestMatches(repositories, words, repositorySearchFields, groupLimit),
      repositoryEntry,
    ),
    ...ofOpenProject(words, entities),
    entries('pages', paletteCopy.group.pages, pageEntries(isAdmin), words),
    entries('administration', terms.sections.administration, adminEntries(isAdmin), words),
    entries('here', paletteCopy.group.here, pageActionEntries(context.actions), words),
    entries('up', paletteCopy.group.up, upEntries(context.path, nameOfScope(entities, context)), words),
    entries('copy', paletteCopy.group.copy, idEntries(entities, context), words),
    entries(
      'actions',
      paletteCopy.group.actions,
      [...createEntriesNotOnPage(entities, context), ...globalEntries(context)],
      words,
    ),
  ].filter(({ items }) => items.length > 0);
  return [...found.filter(({ score }) => isStrong(score)), ...found.filter(({ score }) => !isStrong(score))];
}

function ownDevices(
  text: string,
  words: readonly string[],
  { own, hasMoreOwn }: PaletteEntities,
  { projectId, name }: ProjectSummary,
): Scored {
  const { found, total, score } = bestMatches(own, words, deviceSearchFields, groupLimit);
  const items = found.map((device) => deviceEntry(projectId, device));
  if (total > groupLimit) items.push(allDevicesEntry(projectId, text.trim(), countOrMore(total, hasMoreOwn)));
  return { ...group('devices', paletteCopy.group.devicesOf(name), items), score };
}

function otherDevices(words: readonly string[], others: readonly DevicesOfProject[]): Scored {
  const all = others.flatMap(({ project, devices }) => devices.map((device) => ({ project, device })));
  return scored(
    'other devices',
    paletteCopy.group.otherDevices,
    bestMatches(all, words, ({ device }) => deviceSearchFields(device), groupLimit),
    ({ project, device }) => deviceEntry(project.projectId, device, project.name),
  );
}

// The devices to suggest: pending certificates first, then disconnected ones.
function needingAttention(
  own: readonly ListedDevice[],
  { projectId, devices: total }: ProjectSummary,
): PaletteEntry[] {
  const weight = (device: ListedDevice): number =>
    device.pendingCertificatesCount > 0 ? 0 : device.isConnected ? 2 : 1;
  const first = [...own].sort((one, other) => weight(one) - weight(other)).slice(0, suggestionLimit);
  const items = first.map((device) => deviceEntry(projectId, device));
  if (total > suggestionLimit) items.push(allDevicesEntry(projectId, '', countOrMore(total, false)));
  return items;
}

// The pages and the saved views of the open project.
function ofOpenProject(words: readonly string[], entities: PaletteEntities): Scored[] {
  if (entities.current === undefined) return [];
  const { projectId, name } = entities.current;
  return [
    entries('pages of', name, projectPages(projectId, entities.isAdmin), words),
    entries('views of', paletteCopy.group.viewsOf(name), viewEntries(entities, projectId), words),
  ];
}

function viewEntries({ views }: PaletteEntities, projectId: string): PaletteEntry[] {
  return views.map((view) => savedViewEntry(projectId, view));
}

// Without the actions that the page itself offers.
function createEntriesNotOnPage({ current }: PaletteEntities, { actions }: PaletteContext): PaletteEntry[] {
  return createEntries(current?.projectId).filter(
    ({ label }) => !actions.some((action) => action.label === label),
  );
}

function idEntries({ current, own, repository }: PaletteEntities, { ids, path, userId }: PaletteContext) {
  const device = own.find(({ deviceId }) => deviceId === ids.deviceId);
  const all: readonly [string | undefined, string, string | undefined][] = [
    [ids.deviceId, terms.ids.device, device?.name],
    [ids.projectId, terms.ids.project, current?.name],
    [ids.versionId, terms.ids.version, undefined],
    [ids.packageId, terms.ids.package, undefined],
    [ids.repositoryId, terms.ids.repository, repository?.name],
    [path.startsWith('/settings') ? userId : undefined, terms.ids.user, undefined],
  ];
  return copyEntries(
    all.flatMap(([value, what, name]) => (value === undefined ? [] : [{ value, what, name }])),
  );
}

/** The name of the project or repository that the page belongs to. */
function nameOfScope({ current, repository }: PaletteEntities, { ids }: PaletteContext): string | undefined {
  return ids.repositoryId === undefined ? current?.name : repository?.name;
}

// The open repository: its packages and pages.
function openRepositoryGroups({ repository, packages, isAdmin }: PaletteEntities): PaletteGroup[] {
  if (repository === undefined) return [];
  const { repositoryId, name } = repository;
  const first = packages.slice(0, suggestionLimit).map((one) => packageEntry(repositoryId, one));
  return [
    group('packages', paletteCopy.group.packagesOf(name), first),
    group('pages of repository', name, repositoryPages(repository, isAdmin)),
  ];
}

function entries(id: string, label: string, all: readonly PaletteEntry[], words: readonly string[]): Scored {
  return scored(id, label, bestMatches(all, words, entrySearchFields, groupLimit), (entry) => entry);
}

function entrySearchFields({ label, words = '' }: PaletteEntry): SearchFields {
  return { label: foldText(label), id: '', words };
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
