import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { AdminContact } from '../../parts/AdminContact.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';
import { setPasswordCopy as words } from './copy.ts';
import { LinkedPasswordForm } from './LinkedPasswordForm.tsx';

/** Sets the password of the account that a mailed link is for, once, and shows the result. */
export function SetPassword({ token }: { token: string | undefined }) {
  const [result, setResult] = useState<'Completed' | 'Failed'>();
  if (result === 'Completed')
    return (
      <Screen title={words.doneTitle} text={words.doneText}>
        <div>
          <ButtonLink variant="primary" render={<Link to="/login" />}>
            {words.signIn}
          </ButtonLink>
        </div>
      </Screen>
    );
  if (token === undefined || result === 'Failed')
    return (
      <Screen title={words.failedTitle} text={words.failedText}>
        <AdminContact before={words.ask} />
        <div>
          <ButtonLink render={<Link to="/login" />}>{words.back}</ButtonLink>
        </div>
      </Screen>
    );
  return (
    <Screen title={words.title} text={words.text}>
      <LinkedPasswordForm token={token} onResult={setResult} />
    </Screen>
  );
}

function Screen({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="mt-10 flex flex-col gap-5">
      <h1 tabIndex={-1} className="text-display">
        {title}
      </h1>
      <DoubleRule />
      <p className="text-body text-ink2">{text}</p>
      {children}
    </div>
  );
}
