import { useEffect } from 'react';
import { tellTabs } from '../../../data/session-channel.ts';
import { problemOf } from '../../../parts/provider/copy.ts';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { securityCopy } from './copy.ts';

const words = securityCopy.identities;

/** Says how it ended at the provider, by the word with which the hub led back here, and tells the tab that waits for it. */
export function ProviderOutcome({ answer }: { answer: string }) {
  useEffect(() => {
    if (answer === 'confirmed') tellTabs('confirmed');
    else if (answer === 'signedin') tellTabs('signedIn');
    else if (answer !== 'linked') tellTabs('notConfirmed');
  }, [answer]);
  if (answer === 'signedin') return <Notice title={words.signedIn}>{words.confirmedText}</Notice>;
  if (answer === 'linked') return <Notice title={words.linked} />;
  if (answer === 'confirmed') return <Notice title={words.confirmed}>{words.confirmedText}</Notice>;
  return (
    <Notice tone="danger" title={titleOf(answer)}>
      {problemOf(answer)}
    </Notice>
  );
}

/** Only these words tell for what the sign-in was. */
function titleOf(answer: string): string {
  if (answer === 'taken') return words.notLinked;
  return answer === 'notproved' || answer === 'notyours' ? words.notConfirmed : words.notSignedIn;
}
