import { Link } from '@tanstack/react-router';
import { signUpCopy } from './copy.ts';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';
import { AdminContact } from '../../parts/AdminContact.tsx';

/** Says that sign-up is closed, and whom to contact. */
export function ClosedSignUp() {
  const { closed } = signUpCopy;
  return (
    <div className="mt-10 flex flex-col gap-5">
      <h1 tabIndex={-1} className="text-display">
        {closed.title}
      </h1>
      <DoubleRule />
      <div className="flex flex-col gap-3 text-body text-ink2">
        <p>{closed.text}</p>
        <AdminContact before={closed.ask} />
      </div>
      <div>
        <ButtonLink render={<Link to="/login" />}>{signUpCopy.back}</ButtonLink>
      </div>
    </div>
  );
}
