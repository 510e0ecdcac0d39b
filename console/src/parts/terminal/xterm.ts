import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { subscribeToAppearance } from '../../ui/style/theme.ts';
import './StrictStyle.ts';

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** How a screen is shown and what it tells. */
export interface ScreenOptions {
  /** Its accessible name. */
  readonly label: string;
  /** The size that it keeps; without it, it fills its element. */
  readonly size?: TerminalSize;
  /** What is typed and pasted; without it, nothing can be. */
  readonly onInput?: (bytes: Uint8Array) => void;
  readonly onResize?: (size: TerminalSize) => void;
  /** Called for the keys that leave the screen, which takes all others. */
  readonly onLeave?: () => void;
}

/** A screen that shows the output of a shell. */
export interface Screen {
  readonly size: TerminalSize;
  /** Draws output; `onDrawn` is called once that is done. */
  write(output: Uint8Array | string, onDrawn?: () => void): void;
  /** Gives it a size that it keeps. */
  resize(size: TerminalSize): void;
  /** Forgets everything. */
  reset(): void;
  focus(): void;
  dispose(): void;
}

const scrollbackLines = 5_000;
const [hyperlinks, clipboard] = [8, 52];

/** Shows a screen in an element. Output can neither open links nor reach the clipboard. */
export function openScreen(parent: HTMLElement, options: ScreenOptions): Screen {
  const { onInput, onResize, onLeave } = options;
  const terminal = new Terminal({
    ...options.size,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono'),
    fontSize: 14,
    scrollback: scrollbackLines,
    disableStdin: onInput === undefined,
    cursorBlink: false,
    theme: themeOf(parent),
    minimumContrastRatio: 4.5,
  });
  for (const code of [hyperlinks, clipboard]) terminal.parser.registerOscHandler(code, () => true);
  terminal.open(parent);
  terminal.textarea?.setAttribute('aria-label', options.label);
  const encoder = new TextEncoder();
  if (onInput !== undefined) {
    terminal.onData((text) => onInput(encoder.encode(text)));
    terminal.onBinary((text) => onInput(Uint8Array.from(text, (one) => one.charCodeAt(0))));
  }
  terminal.attachCustomKeyEventHandler((event) => takesKey(event, terminal, onLeave));
  const unsubscribe = subscribeToAppearance(() => (terminal.options.theme = themeOf(parent)));
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const onScheme = (): void => void (terminal.options.theme = themeOf(parent));
  scheme.addEventListener('change', onScheme);
  const stopFitting = options.size === undefined ? fitInto(parent, terminal) : () => undefined;
  terminal.onResize(({ cols, rows }) => onResize?.({ cols, rows }));
  return {
    get size() {
      return { cols: terminal.cols, rows: terminal.rows };
    },
    write: (output, onDrawn) => terminal.write(output, onDrawn),
    resize({ cols, rows }) {
      stopFitting();
      terminal.resize(cols, rows);
    },
    reset: () => terminal.reset(),
    focus: () => terminal.focus(),
    dispose() {
      stopFitting();
      unsubscribe();
      scheme.removeEventListener('change', onScheme);
      terminal.dispose();
    },
  };
}

/** Ctrl+Shift+Down leaves, Ctrl+Shift+C copies what is selected; the browser itself pastes. */
function takesKey(event: KeyboardEvent, terminal: Terminal, onLeave: (() => void) | undefined): boolean {
  if (!event.ctrlKey || !event.shiftKey || event.type !== 'keydown') return true;
  if (event.key === 'ArrowDown' && onLeave !== undefined) {
    event.preventDefault();
    onLeave();
    return false;
  }
  if (event.code !== 'KeyC' || !terminal.hasSelection()) return true;
  event.preventDefault();
  void navigator.clipboard.writeText(terminal.getSelection());
  return false;
}

function fitInto(parent: HTMLElement, terminal: Terminal): () => void {
  const addon = new FitAddon();
  terminal.loadAddon(addon);
  addon.fit();
  const observer = new ResizeObserver(() => addon.fit());
  observer.observe(parent);
  return () => observer.disconnect();
}

/** The colours of the design; those of the shell have the contrast that `minimumContrastRatio` gives them. */
function themeOf(element: HTMLElement): ITheme {
  const probe = document.createElement('span');
  element.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--color-${name})`;
    return getComputedStyle(probe).color;
  };
  const theme = {
    background: colour('sunken'),
    foreground: colour('ink'),
    cursor: colour('denim'),
    cursorAccent: colour('sunken'),
    selectionBackground: colour('info-fill'),
    selectionForeground: colour('ink'),
    black: colour('ink3'),
    red: colour('danger'),
    green: colour('ok'),
    yellow: colour('warn'),
    blue: colour('denim'),
    magenta: colour('rivet'),
    cyan: colour('denim-hover'),
    white: colour('ink2'),
    brightBlack: colour('ink3'),
    brightRed: colour('danger-fill'),
    brightGreen: colour('ok-fill'),
    brightYellow: colour('warn-fill'),
    brightBlue: colour('edge'),
    brightMagenta: colour('rivet'),
    brightCyan: colour('v2'),
    brightWhite: colour('ink'),
  };
  probe.remove();
  return theme;
}
