import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { enShortcuts } from '../../copy/en-palette.ts';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { areShortcutsWanted, subscribeToAppearance } from '../../ui/style/theme.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { ShortcutList } from './ShortcutList.tsx';
import { setSheet } from './sheet-state.ts';

/** Every keyboard shortcut of the console. */
export function ShortcutSheet() {
  const isOn = useSyncExternalStore(subscribeToAppearance, areShortcutsWanted);
  return (
    <Dialog open onOpenChange={setSheet} title={enShortcuts.title} size="large">
      <ShortcutList />
      <p className="mt-5 text-body text-ink2">
        {isOn ? enShortcuts.on : enShortcuts.off}{' '}
        <TextLink render={<Link to="/settings/profile" onClick={() => setSheet(false)} />}>
          {enShortcuts.profile}
        </TextLink>{' '}
        <TextLink render={<Link to="/help" onClick={() => setSheet(false)} />}>
          {enShortcuts.allHelp}
        </TextLink>
      </p>
    </Dialog>
  );
}
