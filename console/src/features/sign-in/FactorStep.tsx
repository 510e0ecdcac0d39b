import { useState } from 'react';
import type { SignInStep } from '../../data/hub.ts';
import { usePasskeysHere } from '../../parts/passkey/use-passkeys-here.ts';
import { factorCopy } from '../../parts/second-factor/copy.ts';
import { NewAuthenticator } from '../../parts/second-factor/NewAuthenticator.tsx';
import { RecoveryCodes } from '../../parts/second-factor/RecoveryCodes.tsx';
import { Button } from '../../ui/action/Button.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { CodeForm } from './CodeForm.tsx';
import { PasskeyStep } from './PasskeyStep.tsx';

const ways = ['passkey', 'code', 'recovery'] as const;
type Way = (typeof ways)[number];

/** What a sign-in takes after the password: a factor that the user has, or an authenticator that is set up here. The form stays busy until `onSignedIn` resolves. */
export function FactorStep({
  step,
  onSignedIn,
  onStartAgain,
}: {
  step: SignInStep;
  onSignedIn: () => Promise<void>;
  onStartAgain: () => void;
}) {
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const [chosen, setChosen] = useState<Way>();
  const isHere = usePasskeysHere();
  if (recoveryCodes !== undefined)
    return (
      <div className="flex flex-col gap-5">
        <h2 className="text-section">{factorCopy.codesTitle}</h2>
        <RecoveryCodes codes={recoveryCodes} />
        <Button variant="primary" size="large" className="w-full" onClick={onSignedIn}>
          {factorCopy.codesStored}
        </Button>
      </div>
    );
  const open = waysOf(step, isHere);
  const way = chosen ?? open[0] ?? 'code';
  const others = (
    <div className="-mx-3.75 flex flex-wrap items-center gap-x-4 gap-y-2">
      {open
        .filter((other) => other !== way)
        .map((other) => (
          <Button key={other} variant="quiet" onClick={() => setChosen(other)}>
            {insteadOf(other)}
          </Button>
        ))}
      <Button variant="quiet" className="ms-auto" onClick={onStartAgain}>
        {factorCopy.startAgain}
      </Button>
    </div>
  );
  if (way === 'passkey') return <PasskeyStep onDone={onSignedIn} others={others} />;
  const isEnrolling = step.wants === 'enrolment';
  return (
    <div className="flex flex-col gap-5">
      {isEnrolling ? (
        <NewAuthenticator {...step} />
      ) : (
        step.notice && <Notice tone="warn" title={step.notice} />
      )}
      <CodeForm
        key={way}
        isRecovery={way === 'recovery'}
        isEnrolling={isEnrolling}
        onDone={async (codes) => (codes === undefined ? onSignedIn() : setRecoveryCodes(codes))}
        others={others}
      />
    </div>
  );
}

/** The ways to go on, the easiest first. */
function waysOf(step: SignInStep, isHere: boolean): Way[] {
  if (step.wants === 'enrolment') return ['code'];
  const has = {
    passkey: step.passkey !== undefined && isHere,
    code: step.hasAuthenticator,
    recovery: true,
  };
  return ways.filter((way) => has[way]);
}

function insteadOf(way: Way): string {
  if (way === 'passkey') return factorCopy.passkeyInstead;
  return way === 'code' ? factorCopy.useApp : factorCopy.useRecoveryCode;
}
