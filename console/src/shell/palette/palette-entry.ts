import type { ReactNode, RefObject } from 'react';

/** The destination of an entry: a path of the console, with search parameters and hash. */
export type PaletteTarget = {
  path: string;
  search?: Readonly<Record<string, string>> | undefined;
  hash?: string | undefined;
};

/** A line of the palette: a page, an action, or something to copy. */
export type PaletteEntry = {
  /** Unique in the palette. */
  id: string;
  label: string;
  icon: ReactNode;
  /** Search terms besides the label and `tag`. */
  words?: string | undefined;
  /** The id of the entity, shown truncated and copied by Shift+Enter. */
  tag?: { value: string; what: string } | undefined;
  /** Additional text at the end of the line. */
  meta?: string | undefined;
  target?: PaletteTarget | undefined;
  /** The action of an entry without `target`. Runs after the palette has closed. */
  run?: (() => void) | undefined;
  /** What to focus before `run`; by default the element that had the focus before. */
  focus?: RefObject<HTMLElement | null> | undefined;
};

/** Entries under one heading. */
export type PaletteGroup = { id: string; label: string; items: readonly PaletteEntry[] };
