import { ActionError } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { signUpCopy } from './copy.ts';
import { activationQuery } from './registration.ts';
import { Activated } from './Activated.tsx';
import { ActivationFailed } from './ActivationFailed.tsx';
import { Waiting } from './Waiting.tsx';

const { verify: text } = signUpCopy;

/** Activates the account of the token in an e-mailed link, once, and shows the result. */
export function Activation({ token }: { token: string | undefined }) {
  const { data, error, isFetching, refetch } = useQuery({
    ...activationQuery(token ?? ''),
    enabled: token !== undefined,
  });
  if (token === undefined) return <ActivationFailed message={text.noToken} />;
  if (isFetching) return <Waiting title={text.waiting} text={text.waitingText} />;
  if (data?.result === 'Completed') return <Activated hasInvitations={data.hasInvitations} />;
  if (data?.result === 'Failed') return <ActivationFailed message={text.refused} />;
  return (
    <ActivationFailed
      message={error?.message ?? text.refused}
      onRetry={isFinal(error) ? undefined : () => void refetch()}
    />
  );
}

/** Whether the hub rejected the token, so that a retry is useless. */
function isFinal(error: Error | null): boolean {
  return error instanceof ActionError && (error.kind === 'Invalid' || error.kind === 'Forbidden');
}
