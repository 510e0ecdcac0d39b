import type { Id } from '@corral/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { userQuery } from '../../data/queries-account.ts';
import { ErrorBoundary } from '../../parts/ErrorBoundary.tsx';
import { sections } from '../sections.ts';
import { loadPalette } from '../palette/load-palette.ts';
import {
  closePalette,
  openPalette,
  paletteState,
  subscribeToPalette,
  typeAhead,
} from '../palette/palette-state.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { isSheetOpen, openSheet, subscribeToSheet } from './sheet-state.ts';
import { shellKeys } from './shell-keys.ts';
import { runCreateAction, useCreateFromHash } from './use-create-from-hash.ts';

async function loadCommandPalette() {
  const { CommandPalette } = await loadPalette();
  return (userId: Id<'user'>) => <CommandPalette userId={userId} />;
}

async function loadShortcutSheet() {
  const { ShortcutSheet } = await import('./ShortcutSheet.tsx');
  return <ShortcutSheet />;
}

/** The keyboard shortcuts of every page, the palette and the sheet of shortcuts; the code of both is loaded lazily. */
export function ShellShortcuts({ userId }: { userId: Id<'user'> }) {
  useShellKeys(userId);
  useCreateFromHash();
  // Closed on sign-out, so that it is not open for the next user.
  useEffect(() => closePalette, []);
  return (
    <ErrorBoundary>
      <LazyPalette userId={userId} />
      <LazySheet />
    </ErrorBoundary>
  );
}

function LazyPalette({ userId }: { userId: Id<'user'> }) {
  const isWanted = useSyncExternalStore(subscribeToPalette, () => paletteState().count > 0);
  const renderPalette = useLazyModule(loadCommandPalette, isWanted, { reportsFailure: true });
  return renderPalette?.(userId);
}

function LazySheet() {
  const isWanted = useSyncExternalStore(subscribeToSheet, isSheetOpen);
  const sheet = useLazyModule(loadShortcutSheet, isWanted, { reportsFailure: true });
  return isWanted && sheet;
}

// Dialogs that must be answered: leaving the page would lose a secret or a decision. One that is closing is answered.
const guardedDialog = ':is([role="alertdialog"], [data-guarded]):not([data-ending-style])';

function useShellKeys(userId: Id<'user'>): void {
  const router = useRouter();
  const queryClient = useQueryClient();
  useEffect(() => {
    const listener = shellKeys({
      togglePalette: () => {
        if (paletteState().isOpen) closePalette();
        else if (document.querySelector(guardedDialog) === null) openPalette();
      },
      typeAhead,
      openSheet,
      create: runCreateAction,
      go: (letter) => {
        const section = sections.find(({ key }) => key === letter);
        const isAdmin = queryClient.getQueryData(userQuery(userId).queryKey)?.isAdmin === true;
        if (section === undefined || (section.adminOnly === true && !isAdmin)) return false;
        void router.navigate({ to: section.link });
        return true;
      },
    });
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [router, queryClient, userId]);
}
