import { useQueryClient } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { hubOf } from '../../data/hub.ts';
import { passkeyCopy } from '../../parts/passkey/copy.ts';
import { askForPasskey } from '../../parts/passkey/webauthn.ts';
import { Button } from '../../ui/action/Button.tsx';
import type { useFailure } from '../../ui/form/use-failure.ts';

/** Signs in by a passkey alone. The form says why that failed. */
export function PasskeyButton({
  attempt,
  isRemembered,
  onSignedIn,
}: {
  attempt: ReturnType<typeof useFailure>[1];
  isRemembered: () => boolean;
  onSignedIn: () => Promise<void>;
}) {
  const hub = hubOf(useQueryClient());
  const signIn = () =>
    attempt(async () => {
      const assertion = await askForPasskey(await hub.beginPasskeySignIn());
      await hub.signInByPasskey(assertion, isRemembered());
      await onSignedIn();
    });
  return (
    <Button size="large" className="w-full" icon={<Fingerprint size={17} aria-hidden />} onClick={signIn}>
      {passkeyCopy.signIn}
    </Button>
  );
}
