import { useMatch } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { createContext, useContext } from 'react';

/** The section that a page belongs to. */
export interface PageSection {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly path: string;
  /** Whether the page shows something in the section, such as one device, and not the section itself. */
  readonly isInside: boolean;
}

/** What pages know of the sections of the shell, which provides it. */
export interface SectionLookup {
  readonly find: (path: string) => PageSection | undefined;
  /** The shortcuts that open sections: the letter after `g`, and the name of the section. */
  readonly shortcuts: () => readonly { key: string; label: string }[];
}

/** Provided by the shell around pages of signed-in users. */
export const SectionLookupContext = createContext<SectionLookup>({
  find: () => undefined,
  shortcuts: () => [],
});

/** The section of the page that renders this; undefined outside of the sections. */
export function usePageSection(): PageSection | undefined {
  const { find } = useContext(SectionLookupContext);
  // The path of the rendered route: while the next page loads, the router's location is already elsewhere.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  return find(path);
}
