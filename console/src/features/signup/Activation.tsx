import { useMutation, useQuery } from '@tanstack/react-query';
import { accountLinkQuery, isWholeToken } from '../../parts/link-token.ts';
import { signUpCopy } from './copy.ts';
import { isOwnRegistration } from './own-registrations.ts';
import { completeRegistration } from './registration.ts';
import { Activated } from './Activated.tsx';
import { ActivationFailed } from './ActivationFailed.tsx';
import { ConfirmActivation } from './ConfirmActivation.tsx';
import { isFinal } from './is-final.ts';
import { Waiting } from './Waiting.tsx';

const { verify: text } = signUpCopy;

/** The page of an e-mailed link: says which account it activates, and does so by a button, since programs that scan mails open links, too. */
export function Activation({ token }: { token: string | undefined }) {
  if (token === undefined || !isWholeToken(token)) return <ActivationFailed message={text.incomplete} />;
  return <WholeLink token={token} />;
}

function WholeLink({ token }: { token: string }) {
  const link = useQuery(accountLinkQuery(token));
  const activation = useMutation(completeRegistration);
  const activate = (password?: string) =>
    activation.mutate({ activationToken: token, ...(password === undefined ? {} : { password }) });
  const { data, error } = activation;
  if (activation.isPending) return <Waiting title={text.waiting} text={text.waitingText} />;
  if (data?.result === 'Completed') return <Activated hasInvitations={data.hasInvitations} />;
  if (error !== null && !isFinal(error))
    return (
      <ActivationFailed message={error.message} onRetry={() => activation.mutate(activation.variables)} />
    );
  if (link.isFetching) return <Waiting title={text.opening} text={text.waitingText} />;
  if (link.error !== null)
    return <ActivationFailed message={link.error.message} onRetry={() => void link.refetch()} />;
  if (link.data?.result === 'Active') return <ActivationFailed message={text.active} />;
  if (link.data?.result !== 'Registration' || data?.result === 'Failed')
    return <ActivationFailed message={text.refused} />;
  return (
    <ConfirmActivation
      account={link.data}
      isOwn={isOwnRegistration(link.data.userId)}
      refusal={error?.message}
      onActivate={activate}
    />
  );
}
