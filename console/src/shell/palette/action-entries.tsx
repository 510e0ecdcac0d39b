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
import { paletteCopy } from './copy.ts';
import { type PageAction, runPageAction } from '../../parts/page-actions.ts';
import { partsCopy } from '../../parts/copy.ts';
import { shellCopy } from '../copy.ts';
import { ancestorsOf, pathOf, sectionsOf } from '../section-paths.ts';
import { terms } from '../../copy/terms.ts';
import { uiCopy } from '../../ui/copy.ts';
import { chooseTheme, type ThemeChoice } from '../../ui/style/theme.ts';
import { copyWithToast } from '../../ui/text/copy-with-toast.ts';
import type { PaletteEntry } from './palette-entry.ts';

const iconProps = { size: 16, 'aria-hidden': true } as const;
const { words } = paletteCopy;

/** The actions that the current page offers. */
export function pageActionEntries(actions: readonly PageAction[]): PaletteEntry[] {
  return actions.map((action) => ({
    id: `here ${action.label}`,
    label: action.label,
    icon: <MousePointerClick {...iconProps} />,
    run: () => runPageAction(action),
    focus: action.element,
  }));
}

/** The parent pages of a path, nearest first. */
export function upEntries(path: string, projectName: string | undefined): PaletteEntry[] {
  return ancestorsOf(path).map(({ section, path: to, isHome }) => ({
    id: `up ${to}`,
    label: paletteCopy.upTo((isHome ? projectName : undefined) ?? section.label()),
    icon: <CornerLeftUp {...iconProps} className="rtl:-scale-x-100" />,
    target: { path: to },
  }));
}

/** What can be created from anywhere: links to the pages that do it, which open the dialog at once. */
export function createEntries(projectId: string | undefined): PaletteEntry[] {
  const own = projectId === undefined ? [] : sectionsOf(['project'], false);
  return [...own, ...sectionsOf(['main'], false)].flatMap((section) =>
    section.create === undefined
      ? []
      : [createEntry(section.create(), pathOf(section, { projectId: projectId ?? '' }))],
  );
}

function createEntry(label: string, path: string): PaletteEntry {
  return {
    id: `create ${path}`,
    label,
    icon: <Plus {...iconProps} />,
    words: 'new add make',
    target: { path, hash: 'create' },
  };
}

const themes: readonly [ThemeChoice, typeof Sun][] = [
  ['light', Sun],
  ['dark', Moon],
  ['system', Monitor],
];

/** The actions that are available on every page. */
export function globalEntries(actions: { openSheet: () => void; logOut: () => void }): PaletteEntry[] {
  return [
    ...themes.map(([choice, Icon]) => ({
      id: `theme ${choice}`,
      label: paletteCopy.theme(uiCopy.theme[choice]),
      icon: <Icon {...iconProps} />,
      words: words.theme,
      run: () => chooseTheme(choice),
    })),
    {
      id: 'shortcuts',
      label: terms.keyboardShortcuts,
      icon: <Keyboard {...iconProps} />,
      words: words.shortcuts,
      meta: '?',
      run: actions.openSheet,
    },
    {
      id: 'log out',
      label: shellCopy.logOut,
      icon: <LogOut {...iconProps} />,
      words: words.logOut,
      run: actions.logOut,
    },
  ];
}

/** Copies the URL of the page, or an id in it. */
export function copyEntries(
  ids: readonly { value: string; what: string; name?: string | undefined }[],
): PaletteEntry[] {
  return [
    ...ids.map(({ value, what, name }) => ({
      id: `copy ${value}`,
      label: paletteCopy.copyWhat(what),
      icon: <Copy {...iconProps} />,
      meta: name,
      run: () => void copyWithToast(value, what),
    })),
    {
      id: 'copy link',
      label: partsCopy.view.copyLink,
      icon: <Link2 {...iconProps} />,
      words: 'url address share',
      run: () => void copyWithToast(window.location.href, partsCopy.view.link),
    },
  ];
}
