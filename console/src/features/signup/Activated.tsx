import { Link, useNavigate } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { signUpCopy } from './copy.ts';
import { Button } from '../../ui/action/Button.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { OutcomeScreen } from './OutcomeScreen.tsx';
import { useCountdown } from './use-countdown.ts';

const { verify: text } = signUpCopy;
const redirectAfterSecs = 4;

/** Says that the account is activated, and redirects to the sign-in page after 4 s unless the user stays. */
export function Activated({ hasInvitations = false }: { hasInvitations?: boolean | undefined }) {
  const navigate = useNavigate();
  const [isStaying, setIsStaying] = useState(false);
  const search = hasInvitations ? { redirect: '/user/invitations' } : {};
  const leave = () => void navigate({ to: '/login', search, replace: true });
  const secondsLeft = useCountdown(redirectAfterSecs, !isStaying, leave);
  return (
    <OutcomeScreen
      tone="ok"
      icon={<CircleCheck size={24} aria-hidden />}
      title={text.completed}
      actions={
        <>
          <ButtonLink variant="primary" render={<Link to="/login" search={search} replace />}>
            {text.goNow}
          </ButtonLink>
          {!isStaying && <Button onClick={() => setIsStaying(true)}>{text.stay}</Button>}
        </>
      }
    >
      <p>{text.completedText}</p>
      {hasInvitations && <p>{text.invited}</p>}
      <p role="timer" className="tabular text-ink">
        {isStaying ? text.stayed : text.countdown(secondsLeft)}
      </p>
    </OutcomeScreen>
  );
}
