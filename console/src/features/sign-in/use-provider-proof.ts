import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { hubOf } from '../../data/hub.ts';
import { subscribeToTabs } from '../../data/session-channel.ts';
import { useFailure } from '../../ui/form/use-failure.ts';
import { stepUpCopy as words } from './step-up-copy.ts';
import { useProviderTab } from './use-provider-tab.ts';

/** Has the user confirm at the provider in another tab; `onConfirmed` is called once that tab says so. Call `lead` synchronously in the click handler. */
export function useProviderProof(open: boolean, onConfirmed: () => void) {
  const hub = hubOf(useQueryClient());
  const tab = useProviderTab(() => hub.beginProviderStepUp());
  const [failure, attempt, forget] = useFailure();
  const reset = () => {
    forget();
    tab.endWait();
  };
  const onNews = useEffectEvent((news: string) => {
    if (news === 'confirmed') onConfirmed();
    else if (news === 'notConfirmed' && tab.isWaiting) {
      tab.endWait();
      void attempt(async () => words.refused);
    }
  });
  useEffect(() => (open ? subscribeToTabs((news) => onNews(news)) : undefined), [open]);
  return { isWaiting: tab.isWaiting, failure, lead: () => attempt(tab.open), reset };
}
