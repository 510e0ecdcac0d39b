import { useQueryClient } from '@tanstack/react-query';
import { terms } from '../../copy/terms.ts';
import { hubOf } from '../../data/hub.ts';
import { problemOf, providerCopy } from '../../parts/provider/copy.ts';
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
  problem: string | undefined;
}) {
  const queryClient = useQueryClient();
  const [failure = problemOf(problem), attempt] = useFailure();
  const lead = async (): Promise<void> =>
    window.location.assign(await hubOf(queryClient).beginProviderSignIn(redirect));
  return (
    <>
      <Button size="large" className="w-full" onClick={() => attempt(lead)}>
        {providerCopy.signIn(name)}
      </Button>
      {failure !== undefined && (
        <Notice tone="danger" title={terms.errorTitle}>
          {failure}
        </Notice>
      )}
    </>
  );
}
