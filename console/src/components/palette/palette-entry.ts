import type { ReactNode } from 'react';

/** Where an entry leads: a path of the console, with its search part and hash. */
export type PaletteTarget = {
  path: string;
  search?: Readonly<Record<string, string>> | undefined;
  hash?: string | undefined;
};

/** One line of the palette: a place, a action, or something to copy. */
export type PaletteEntry = {
  /** Unique in the palette. */
  id: string;
  label: string;
  icon: ReactNode;
  /** What else it is found by, besides its label and `tag`. */
  words?: string | undefined;
  /** The id of the thing, shown shortened and copied by Shift+Enter. */
  tag?: { value: string; what: string } | undefined;
  /** A few more words at the end of the line. */
  meta?: string | undefined;
  target?: PaletteTarget | undefined;
  /** What it does, for entries that lead nowhere. Runs when the palette has closed. */
  run?: (() => void) | undefined;
  /** Where the focus goes before `run`; where it was, unless told. */
  focus?: HTMLElement | undefined;
};

/** Entries under one heading. */
export type PaletteGroup = { id: string; label: string; items: readonly PaletteEntry[] };
