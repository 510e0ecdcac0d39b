import { createFileRoute, Link } from '@tanstack/react-router';
import { signUpCopy } from '../../features/signup/copy.ts';
import { AdminContact } from '../../parts/AdminContact.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';

export const Route = createFileRoute('/_public/reset-password')({ component: ResetPassword });

function ResetPassword() {
  const { resetPassword } = signUpCopy;
  return (
    <div className="mt-10 flex flex-col gap-5">
      <h1 tabIndex={-1} className="text-display">
        {resetPassword.title}
      </h1>
      <DoubleRule />
      <div className="flex flex-col gap-3 text-body text-ink2">
        <p>{resetPassword.text}</p>
        <p>{resetPassword.hint}</p>
        <AdminContact before={resetPassword.ask} />
      </div>
      <div>
        <ButtonLink render={<Link to="/login" />}>{signUpCopy.back}</ButtonLink>
      </div>
    </div>
  );
}
