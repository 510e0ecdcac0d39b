import { Clock, Mail, UserCheck } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { signUpCopy } from './copy.ts';
import { Button } from '../../ui/action/Button.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { AdminContact } from '../../parts/AdminContact.tsx';
import { useIsMailConfigured } from '../../parts/use-is-mail-configured.ts';
import { OutcomeScreen } from './OutcomeScreen.tsx';
import { ResendEmail } from './ResendEmail.tsx';

/** The results of a registration; other failures are thrown. */
export type RegistrationResult = 'Created' | 'Pending' | 'EmailAlreadyExists';

const outcomes = {
  Created: { tone: 'ok', Icon: Mail, text: signUpCopy.awaiting },
  Pending: { tone: 'warn', Icon: Clock, text: signUpCopy.pending },
  EmailAlreadyExists: { tone: 'info', Icon: UserCheck, text: signUpCopy.exists },
} as const;

const whereNoMailIsSent = {
  Created: signUpCopy.withoutMail.created,
  Pending: signUpCopy.withoutMail.pending,
  EmailAlreadyExists: {},
};

/** The outcome of a registration, with the next actions: confirm, sign in, or use another address. */
export function SignUpOutcome({
  result,
  email,
  invitationToken,
  onUseAnother,
}: {
  result: RegistrationResult;
  email: string;
  invitationToken?: string | undefined;
  /** Absent where the address is that of an invitation. */
  onUseAnother?: (() => void) | undefined;
}) {
  const { tone, Icon, text } = outcomes[result];
  const isMailConfigured = useIsMailConfigured();
  const { withoutMail } = signUpCopy;
  const afterLogin = invitationToken === undefined ? {} : { redirect: '/user/invitations' };
  const isConfirmable = result !== 'EmailAlreadyExists';
  const told = isMailConfigured ? text : { ...text, ...whereNoMailIsSent[result] };
  const useAnother = onUseAnother !== undefined && (
    <Button variant="quiet" onClick={onUseAnother}>
      {signUpCopy.useAnother}
    </Button>
  );
  return (
    <OutcomeScreen
      tone={tone}
      icon={<Icon size={24} aria-hidden />}
      title={text.title}
      actions={
        isConfirmable && !isMailConfigured ? (
          useAnother
        ) : isConfirmable ? (
          <ResendEmail {...{ email, invitationToken }}>{useAnother}</ResendEmail>
        ) : (
          <>
            <ButtonLink variant="primary" render={<Link to="/login" search={afterLogin} />}>
              {signUpCopy.exists.logIn}
            </ButtonLink>
            <ButtonLink render={<Link to="/reset-password" />}>{signUpCopy.exists.resetPassword}</ButtonLink>
            {useAnother}
          </>
        )
      }
    >
      <p>
        {told.before}{' '}
        <bdi className="font-head wrap-anywhere text-ink" dir="ltr">
          {email}
        </bdi>
        {/^[.,]/.test(told.after) ? '' : ' '}
        {told.after}
      </p>
      {isConfirmable && <p>{isMailConfigured ? signUpCopy.hint : withoutMail.hint}</p>}
      {isConfirmable && !isMailConfigured && <AdminContact before={withoutMail.ask} />}
    </OutcomeScreen>
  );
}
