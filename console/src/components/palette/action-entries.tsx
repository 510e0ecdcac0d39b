import {
  Copy,
  CornerLeftUp,
  Keyboard,
  Link2,
  LogOut,
  Monitor,
  Moon,
  MousePointerClick,
  Plus,
  Sun,
} from 'lucide-react';
import { enAccount } from '../../copy/en-account.ts';
import { enPalette } from '../../copy/en-palette.ts';
import { en } from '../../copy/en.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { chooseTheme, type ThemeChoice } from '../../ui/style/theme.ts';
import { copyText } from '../../ui/text/copy-text.ts';
import type { PageAction } from './page-actions.ts';
import type { PaletteEntry } from './palette-entry.ts';

const look = { size: 16, 'aria-hidden': true } as const;
const { words } = enPalette;

/** What the page that shows offers. */
export function pageActionEntries(actions: readonly PageAction[]): PaletteEntry[] {
  return actions.map(({ label, element }) => ({
    id: `here ${label}`,
    label,
    icon: <MousePointerClick {...look} />,
    run: () => element.click(),
    focus: element,
  }));
}

/** The pages above this one, nearest first. */
export function upEntries(path: string, projectName: string | undefined): PaletteEntry[] {
  const [root = '', first, page, deeper] = path.split('/').slice(1);
  const up = (to: string, name: string): PaletteEntry => ({
    id: `up ${to}`,
    label: enPalette.upTo(name),
    icon: <CornerLeftUp {...look} className="rtl:-scale-x-100" />,
    target: { path: to },
  });
  if (root !== 'projects' || first === undefined) return [];
  const home = up('/projects', en.shell.projects);
  const project = up(`/projects/${first}/devices`, projectName ?? enAccount.project.devices);
  if (deeper !== undefined) return [up(`/projects/${first}/${page ?? ''}`, enAccount.project.devices), home];
  return page === 'devices' ? [home] : [project, home];
}

/** What can be created from anywhere: the pages that do it, which begin at once. */
export function createEntries(projectId: string | undefined): PaletteEntry[] {
  const create = (path: string, label: string): PaletteEntry => ({
    id: `create ${path}`,
    label,
    icon: <Plus {...look} />,
    words: 'new add make',
    target: { path, hash: 'create' },
  });
  return [
    ...(projectId === undefined
      ? []
      : [
          create(`/projects/${projectId}/devices`, enPalette.connect),
          create(`/projects/${projectId}/tokens`, enPalette.newToken),
        ]),
    create('/projects', enPalette.createProject),
  ];
}

const themes: readonly [ThemeChoice, typeof Sun][] = [
  ['light', Sun],
  ['dark', Moon],
  ['system', Monitor],
];

/** What can be done everywhere. */
export function everywhereEntries(does: { openSheet: () => void; logOut: () => void }): PaletteEntry[] {
  return [
    ...themes.map(([choice, Icon]) => ({
      id: `theme ${choice}`,
      label: enPalette.theme(en.theme[choice]),
      icon: <Icon {...look} />,
      words: words.theme,
      run: () => chooseTheme(choice),
    })),
    {
      id: 'shortcuts',
      label: enPalette.shortcuts,
      icon: <Keyboard {...look} />,
      words: words.shortcuts,
      meta: '?',
      run: does.openSheet,
    },
    {
      id: 'log out',
      label: en.shell.logOut,
      icon: <LogOut {...look} />,
      words: words.logOut,
      run: does.logOut,
    },
  ];
}

/** What the page is about, to be copied: its address and the ids in it. */
export function copyEntries(
  ids: readonly { value: string; what: string; name?: string | undefined }[],
): PaletteEntry[] {
  return [
    ...ids.map(({ value, what, name }) => ({
      id: `copy ${value}`,
      label: enPalette.copyWhat(what),
      icon: <Copy {...look} />,
      meta: name,
      run: () => void copyAndSay(value, what),
    })),
    {
      id: 'copy link',
      label: enPalette.copyLink,
      icon: <Link2 {...look} />,
      words: 'url address share',
      run: () => void copyAndSay(window.location.href, enPalette.linkWhat),
    },
  ];
}

/** Copies and says so, in a toast, because the palette is gone by then. */
export async function copyAndSay(value: string, what: string): Promise<void> {
  const isDone = await copyText(value);
  if (isDone) showToast(en.copy.copiedWhat(what), { tone: 'ok' });
  else showToast(en.copy.failed, { tone: 'danger' });
}
