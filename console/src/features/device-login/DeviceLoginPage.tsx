import type { Id } from '@corral/contract';
import { useState } from 'react';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { CodeForm } from './CodeForm.tsx';
import { deviceLoginCopy as words } from './copy.ts';
import { LoginRequestCard } from './LoginRequestCard.tsx';
import type { LoginRequest } from './mutations.ts';

type Step =
  | { readonly at: 'code' }
  | { readonly at: 'request'; readonly request: LoginRequest }
  | { readonly at: 'decided'; readonly isApproved: boolean };

/** Confirms the code of a command line: first the code, then what is asked for, then the outcome. */
export function DeviceLoginPage({ userId }: { userId: Id<'user'> }) {
  const [step, setStep] = useState<Step>({ at: 'code' });
  return (
    <Page>
      <SectionHeader meta={words.text} />
      <div className="max-w-[36rem]">
        {step.at === 'code' && <CodeForm onFound={(request) => setStep({ at: 'request', request })} />}
        {step.at === 'request' && (
          <LoginRequestCard
            request={step.request}
            userId={userId}
            onDecided={(isApproved) => setStep({ at: 'decided', isApproved })}
          />
        )}
        {step.at === 'decided' && (
          <Outcome isApproved={step.isApproved} onAgain={() => setStep({ at: 'code' })} />
        )}
      </div>
    </Page>
  );
}

function Outcome({ isApproved, onAgain }: { isApproved: boolean; onAgain: () => void }) {
  return (
    <div role="status" className="flex flex-col items-start gap-4">
      <Notice
        tone={isApproved ? 'info' : 'warn'}
        title={isApproved ? words.approvedTitle : words.deniedTitle}
      >
        {isApproved ? words.approvedText : words.deniedText}
      </Notice>
      <Button onClick={onAgain}>{words.another}</Button>
    </div>
  );
}
