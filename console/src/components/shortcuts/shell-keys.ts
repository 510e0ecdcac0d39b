import { isTyping } from '../../ui/form/keys.ts';
import { areShortcutsWanted } from '../../ui/style/theme.ts';
import { hasCommandKey } from './modifier.ts';

/** What the keys of the shell do. */
export type ShellDeeds = {
  togglePalette: () => void;
  /** Takes a letter for the palette, while that is on its way and has no field yet; false where it is not. */
  typeAhead: (letter: string) => boolean;
  openSheet: () => void;
  create: () => void;
  /** Goes to the page of a letter that follows g; false where there is none. */
  go: (letter: string) => boolean;
};

// Slower than this, "g" and "p" are two keys and no shortcut.
const sequenceMs = 1500;

/** Makes the listener of the keys that work everywhere: the palette, g and a letter, c and ?. */
export function shellKeys(deeds: ShellDeeds): (event: KeyboardEvent) => void {
  let wentAtMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      deeds.togglePalette();
      return;
    }
    if (isTyping(event)) return;
    if (event.key.length === 1 && deeds.typeAhead(event.key)) {
      event.preventDefault();
      return;
    }
    if (!areShortcutsWanted() || event.repeat) return;
    const isSecond = event.timeStamp - wentAtMs < sequenceMs;
    wentAtMs = Number.NEGATIVE_INFINITY;
    if (isSecond && deeds.go(event.key)) event.preventDefault();
    else if (event.key === 'g') wentAtMs = event.timeStamp;
    else if (event.key === 'c') act(event, deeds.create);
    else if (event.key === '?') act(event, deeds.openSheet);
  };
}

function act(event: KeyboardEvent, deed: () => void): void {
  event.preventDefault();
  deed();
}

// Ctrl+K cuts a line on machines with a Command key, and Meta opens menus on the others.
function isPaletteKey(event: KeyboardEvent): boolean {
  const isModified = hasCommandKey() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return isModified && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
}
