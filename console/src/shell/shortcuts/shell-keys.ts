import { isTyping } from '../../ui/form/keys.ts';
import { areShortcutsWanted } from '../../ui/style/theme.ts';
import { hasCommandKey } from '../../parts/modifier.ts';

/** The actions of the shell's shortcuts. */
export type ShellActions = {
  togglePalette: () => void;
  /** Passes a letter to the palette while its code loads; false if it is not open. */
  typeAhead: (letter: string) => boolean;
  openSheet: () => void;
  create: () => void;
  /** Navigates to the page of the letter after g; false if there is none. */
  go: (letter: string) => boolean;
};

// The maximum time between the keys of a sequence such as "g p".
const sequenceMs = 1500;

/** Creates the keydown listener of the global shortcuts: the palette, g and a letter, c and ?. */
export function shellKeys(actions: ShellActions): (event: KeyboardEvent) => void {
  let sequenceStartMs = Number.NEGATIVE_INFINITY;
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
    const isSecond = event.timeStamp - sequenceStartMs < sequenceMs;
    sequenceStartMs = Number.NEGATIVE_INFINITY;
    if (isSecond && actions.go(event.key)) event.preventDefault();
    else if (event.key === 'g') sequenceStartMs = event.timeStamp;
    else if (event.key === 'c') run(event, actions.create);
    else if (event.key === '?') run(event, actions.openSheet);
  };
}

function run(event: KeyboardEvent, action: () => void): void {
  event.preventDefault();
  action();
}

// On macOS Ctrl+K deletes to the end of the line, and elsewhere the Meta key opens menus.
function isPaletteKey(event: KeyboardEvent): boolean {
  const isModified = hasCommandKey() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return isModified && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
}
