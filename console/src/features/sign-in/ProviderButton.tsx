import { useQueryClient } from '@tanstack/react-query';
import { signInCopy } from './copy.ts';
import { terms } from '../../copy/terms.ts';
import { hubOf } from '../../data/hub.ts';
import { Button } from '../../ui/action/Button.tsx';
import { useFailure } from '../../ui/form/use-failure.ts';
import { Notice } from '../../ui/layout/Notice.tsx';

/** Leads to the provider, and says why the last sign-in there did not succeed. */
export function ProviderButton({
  name,
  redirect,
  problem,
}: {
  name: string;
  redirect: string | undefined;
  problem: keyof typeof signInCopy.providerProblems | undefined;
}) {
  const queryClient = useQueryClient();
  const [failure = problem && signInCopy.providerProblems[problem], attempt] = useFailure();
  const lead = async (): Promise<void> =>
    window.location.assign(await hubOf(queryClient).beginProviderSignIn(redirect));
  return (
    <>
      <Button size="large" className="w-full" onClick={() => attempt(lead)}>
        {signInCopy.atProvider(name)}
      </Button>
      {failure !== undefined && (
        <Notice tone="danger" title={terms.errorTitle}>
          {failure}
        </Notice>
      )}
    </>
  );
}
