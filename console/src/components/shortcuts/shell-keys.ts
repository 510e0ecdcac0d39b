import { isTyping } from '../../ui/form/keys.ts';
import { areShortcutsWanted } from '../../ui/style/theme.ts';
import { hasCommandKey } from './modifier.ts';

/** What the keys of the shell do. */
export type ShellActions = {
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
export function shellKeys(actions: ShellActions): (event: KeyboardEvent) => void {
  let wentAtMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      actions.togglePalette();
      return;
    }
    if (isTyping(event)) return;
    if (event.key.length === 1 && actions.typeAhead(event.key)) {
      event.preventDefault();
      return;
    }
    if (!areShortcutsWanted() || event.repeat) return;
    const isSecond = event.timeStamp - wentAtMs < sequenceMs;
    wentAtMs = Number.NEGATIVE_INFINITY;
    if (isSecond && actions.go(event.key)) event.preventDefault();
    else if (event.key === 'g') wentAtMs = event.timeStamp;
    else if (event.key === 'c') act(event, actions.create);
    else if (event.key === '?') act(event, actions.openSheet);
  };
}

function act(event: KeyboardEvent, action: () => void): void {
  event.preventDefault();
  action();
}

// Ctrl+K cuts a line on machines with a Command key, and Meta opens menus on the others.
function isPaletteKey(event: KeyboardEvent): boolean {
  const isModified = hasCommandKey() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return isModified && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
}
