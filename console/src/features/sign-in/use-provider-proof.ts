import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { hubOf } from '../../data/hub.ts';
import { subscribeToTabs } from '../../data/session-channel.ts';
import { openBlankTab } from '../../parts/blank-tab.ts';
import { useFailure } from '../../ui/form/use-failure.ts';
import { stepUpCopy as words } from './step-up-copy.ts';

/**
 * Has the user confirm at the provider in another tab, so that the page behind keeps what was typed; `onConfirmed` is called once that tab says so. Call `lead` synchronously in the
 * click handler: browsers block the tab later.
 */
export function useProviderProof(open: boolean, onConfirmed: () => void) {
  const hub = hubOf(useQueryClient());
  const [isWaiting, setIsWaiting] = useState(false);
  const [failure, attempt, forget] = useFailure();
  const lead = () =>
    attempt(async () => {
      const tab = openBlankTab();
      if (tab === undefined) return words.blocked;
      try {
        tab.navigate(await hub.beginProviderStepUp());
        setIsWaiting(true);
      } catch (error) {
        tab.close();
        throw error;
      }
    });
  const reset = () => {
    forget();
    setIsWaiting(false);
  };
  const onNews = useEffectEvent((news: string) => {
    if (news === 'confirmed') onConfirmed();
    else if (news === 'notConfirmed' && isWaiting) {
      setIsWaiting(false);
      void attempt(async () => words.refused);
    }
  });
  useEffect(() => (open ? subscribeToTabs((news) => onNews(news)) : undefined), [open]);
  return { isWaiting, failure, lead, reset };
}
