import { createFileRoute, Link } from '@tanstack/react-router';
import { signUpCopy } from '../../features/signup/copy.ts';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';

export const Route = createFileRoute('/_public/confirm-email')({ component: ConfirmEmail });

function ConfirmEmail() {
  const { confirmEmail } = signUpCopy;
  return (
    <div className="mt-10 flex flex-col gap-5">
      <h1 tabIndex={-1} className="text-display">
        {confirmEmail.title}
      </h1>
      <DoubleRule />
      <p className="text-body text-ink2">{confirmEmail.text}</p>
      <div>
        <ButtonLink render={<Link to="/login" />}>{signUpCopy.back}</ButtonLink>
      </div>
    </div>
  );
}
