import { createContext, useContext } from 'react';

/** The places of the shell that a section fills with its navigation; null while they are not on the page. */
export interface SectionSlots {
  readonly sidebar: HTMLElement | null;
  readonly drawer: HTMLElement | null;
}

/** Provided by the shell. */
export const SectionSlotsContext = createContext<SectionSlots>({ sidebar: null, drawer: null });

/** The places of the shell around this section. */
export function useSectionSlots(): SectionSlots {
  return useContext(SectionSlotsContext);
}
