import { useState } from 'react';
import { openBlankTab } from '../../parts/blank-tab.ts';
import { stepUpCopy as words } from './step-up-copy.ts';

/**
 * Leads to the provider in another tab, so that the page behind keeps what was typed. Call `open` synchronously in the click handler: browsers block the tab later; it resolves with
 * the reason when they did.
 */
export function useProviderTab(begin: () => Promise<string>) {
  const [isWaiting, setIsWaiting] = useState(false);
  const open = async (): Promise<string | void> => {
    const tab = openBlankTab();
    if (tab === undefined) return words.blocked;
    try {
      tab.navigate(await begin());
      setIsWaiting(true);
    } catch (error) {
      tab.close();
      throw error;
    }
  };
  return { isWaiting, open, endWait: () => setIsWaiting(false) };
}
