import { createContext, useContext } from 'react';

/** The elements of the shell into which a section renders its navigation; null while they are not mounted. */
export interface SectionSlots {
  readonly sidebar: HTMLElement | null;
  readonly drawer: HTMLElement | null;
}

/** Provided by the shell. */
export const SectionSlotsContext = createContext<SectionSlots>({ sidebar: null, drawer: null });

/** The slots of the surrounding shell. */
export function useSectionSlots(): SectionSlots {
  return useContext(SectionSlotsContext);
}
