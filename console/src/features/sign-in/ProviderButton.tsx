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
  lead,
  onOther,
}: {
  name: string;
  redirect?: string | undefined;
  problem?: string | undefined;
  /** By default this page goes to the provider. */
  lead?: () => Promise<string | void>;
  /** Asks for the form that this button stands in front of; undefined beside the form. */
  onOther: (() => void) | undefined;
}) {
  const queryClient = useQueryClient();
  const [failure = problemOf(problem), attempt] = useFailure();
  const leave = async (): Promise<void> =>
    window.location.assign(await hubOf(queryClient).beginProviderSignIn(redirect));
  return (
    <div className="flex flex-col gap-5">
      <Button
        variant={onOther === undefined ? 'secondary' : 'primary'}
        size="large"
        className="w-full"
        onClick={() => attempt(lead ?? leave)}
      >
        {providerCopy.signIn(name)}
      </Button>
      {failure !== undefined && (
        <Notice tone="danger" title={terms.errorTitle}>
          {failure}
        </Notice>
      )}
      {onOther !== undefined && (
        <>
          <p className="text-body text-ink2">{providerCopy.preferred}</p>
          <Button size="large" className="w-full" onClick={onOther}>
            {providerCopy.other}
          </Button>
        </>
      )}
    </div>
  );
}
