import type { Id } from '@corral/contract';
import { Link, useLocation, useParams, useRouter } from '@tanstack/react-router';
import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { terms } from '../../copy/terms.ts';
import { paletteCopy } from './copy.ts';
import { Palette } from '../../ui/overlay/Palette.tsx';
import { copyWithToast } from '../../ui/text/copy-with-toast.ts';
import { openSheet } from '../shortcuts/sheet-state.ts';
import { useLogOut } from '../use-log-out.ts';
import { NoResult } from './NoResult.tsx';
import { pageActions } from '../../parts/page-actions.ts';
import type { PaletteEntry, PaletteTarget } from './palette-entry.ts';
import { paletteGroups } from './palette-groups.ts';
import { closePalette, paletteState, subscribeToPalette } from './palette-state.ts';
import { PaletteFooter } from './PaletteFooter.tsx';
import { PaletteRow } from './PaletteRow.tsx';
import { usePaletteEntities } from './use-palette-entities.ts';

/** The command palette: finds devices, projects, repositories, pages and actions, those of the current project first. */
export function CommandPalette({ userId }: { userId: Id<'user'> }) {
  const { isOpen, text: firstText, count } = useSyncExternalStore(subscribeToPalette, paletteState);
  const chosen = useRef<PaletteEntry>(undefined);
  const path = useLocation({ select: ({ pathname }) => pathname });
  function close(entry?: PaletteEntry): void {
    chosen.current = entry;
    closePalette();
  }
  const props = { isOpen, userId, path, onClose: close };
  return (
    <OpenPalette
      // A new key with each opening clears the text.
      key={count}
      {...props}
      firstText={firstText}
      focusAfter={() => focusAfterClose(chosen.current, path)}
      onClosed={() => {
        const run = chosen.current?.run;
        chosen.current = undefined;
        run?.();
      }}
    />
  );
}

// After a navigation the new page takes the focus, which may have happened already; everything else restores it.
function focusAfterClose(entry: PaletteEntry | undefined, path: string): HTMLElement | boolean {
  if (entry?.target === undefined) return entry?.focus?.current ?? true;
  return entry.target.path === path || (document.querySelector<HTMLElement>('h1') ?? false);
}

function OpenPalette({
  isOpen,
  userId,
  path,
  firstText,
  onClose,
  onClosed,
  focusAfter: finalFocus,
}: {
  isOpen: boolean;
  userId: Id<'user'>;
  path: string;
  firstText: string;
  onClose: (entry?: PaletteEntry) => void;
  onClosed: () => void;
  focusAfter: () => HTMLElement | boolean;
}) {
  const router = useRouter();
  const logOut = useLogOut();
  const ids = useParams({ strict: false });
  const [text, setText] = useState(firstText);
  const entities = usePaletteEntities(userId, ids, isOpen ? text.trim() : '');
  const actions = useMemo(() => (isOpen ? pageActions() : []), [isOpen]);
  const groups = isOpen
    ? paletteGroups(text, entities, { path, userId, ids, actions, openSheet, logOut })
    : [];
  const lines = groups.map((group) => ({ ...group, items: group.items.map(lineOf) }));
  function choose({ entry }: Line, { isShift, isNewTab }: { isShift: boolean; isNewTab: boolean }): void {
    if (isShift && entry.tag !== undefined) void copyWithToast(entry.tag.value, entry.tag.what);
    else if (isNewTab && entry.target !== undefined) {
      window.open(router.buildLocation(linkOf(entry.target)).href, '_blank', 'noopener');
    } else onClose(entry);
  }
  return (
    <Palette
      open={isOpen}
      onOpenChange={(next) => (next ? undefined : onClose())}
      onClosed={onClosed}
      finalFocus={finalFocus}
      label={terms.goToAnything}
      placeholder={paletteCopy.placeholder}
      text={text}
      onTextChange={setText}
      groups={lines}
      onChoose={choose}
      status={isOpen ? paletteCopy.results(lines.reduce((sum, { items }) => sum + items.length, 0)) : ''}
      empty={text.trim() === '' ? null : <NoResult text={text.trim()} onTry={setText} />}
      foot={<PaletteFooter />}
    />
  );
}

type Line = ReturnType<typeof lineOf>;

function lineOf(entry: PaletteEntry) {
  return {
    id: entry.id,
    entry,
    content: <PaletteRow entry={entry} />,
    render: entry.target === undefined ? undefined : <Link {...linkOf(entry.target)} preload={false} />,
  };
}

function linkOf({ path, search = {}, hash }: PaletteTarget) {
  return { to: path, search: () => search, ...(hash !== undefined && { hash }) };
}
