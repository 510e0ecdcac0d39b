import { useQueryClient } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import type { ReactNode } from 'react';
import { hubOf } from '../../data/hub.ts';
import { askForPasskey } from '../../parts/passkey/webauthn.ts';
import { factorCopy } from '../../parts/second-factor/copy.ts';
import { Button } from '../../ui/action/Button.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { SignInFailure } from './SignInFailure.tsx';

/** Ends a sign-in that waits with a passkey of its user. */
export function PasskeyStep({ onDone, others }: { onDone: () => Promise<void>; others: ReactNode }) {
  const hub = hubOf(useQueryClient());
  const [failure, attempt] = useFailure();
  const go = () =>
    attempt(async () => {
      // Asked for again, since a challenge is good once, and for five minutes.
      const step = await hub.resumeSignIn();
      if (step.wants !== 'factor' || step.passkey === undefined) return;
      await hub.completeSignIn({ passkey: await askForPasskey(step.passkey) });
      await onDone();
    });
  return (
    <div className="flex flex-col gap-5">
      <p className="text-body text-ink2">{factorCopy.passkeyText}</p>
      <Button
        variant="primary"
        size="large"
        className="w-full"
        icon={<Fingerprint size={17} aria-hidden />}
        onClick={go}
      >
        {factorCopy.usePasskey}
      </Button>
      {others}
      <SignInFailure failure={failure} />
    </div>
  );
}
