import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { terms } from '../../copy/terms.ts';
import { shortcutSheetCopy } from './copy.ts';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { areShortcutsWanted, subscribeToAppearance } from '../../ui/style/theme.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { ShortcutList } from '../../parts/ShortcutList.tsx';
import { setSheet } from './sheet-state.ts';

/** Every keyboard shortcut of the console. */
export function ShortcutSheet() {
  const isOn = useSyncExternalStore(subscribeToAppearance, areShortcutsWanted);
  return (
    <Dialog open onOpenChange={setSheet} title={terms.keyboardShortcuts} size="large">
      <ShortcutList />
      <p className="mt-5 text-body text-ink2">
        {isOn ? shortcutSheetCopy.on : shortcutSheetCopy.off}{' '}
        <TextLink render={<Link to="/settings/profile" onClick={() => setSheet(false)} />}>
          {shortcutSheetCopy.profile}
        </TextLink>{' '}
        <TextLink render={<Link to="/help" onClick={() => setSheet(false)} />}>
          {shortcutSheetCopy.allHelp}
        </TextLink>
      </p>
    </Dialog>
  );
}
