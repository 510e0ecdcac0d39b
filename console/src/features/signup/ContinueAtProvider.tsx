import { useQueryClient } from '@tanstack/react-query';
import { hubOf } from '../../data/hub.ts';
import { Button } from '../../ui/action/Button.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { Notice } from '../../ui/layout/Notice.tsx';
import { signUpCopy } from './copy.ts';

/** Accepts the invitation with an account at the provider, which makes one here without a password. */
export function ContinueAtProvider({ name, token }: { name: string; token: string }) {
  const queryClient = useQueryClient();
  const [failure, attempt] = useFailure();
  const lead = async (): Promise<void> =>
    window.location.assign(await hubOf(queryClient).beginInvitedSignIn(token));
  return (
    <div className="mt-8 flex flex-col gap-5">
      <Button variant="primary" size="large" className="w-full" onClick={() => attempt(lead)}>
        {signUpCopy.invitation.continueWith(name)}
      </Button>
      {failure !== undefined && (
        <Notice tone="danger" title={signUpCopy.form.errorTitle}>
          {failure}
        </Notice>
      )}
    </div>
  );
}
