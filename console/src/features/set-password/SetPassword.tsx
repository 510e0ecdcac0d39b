import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { AdminContact } from '../../parts/AdminContact.tsx';
import { accountLinkQuery, isWholeToken } from '../../parts/link-token.ts';
import { Button } from '../../ui/action/Button.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';
import { setPasswordCopy as words } from './copy.ts';
import { LinkedPasswordForm } from './LinkedPasswordForm.tsx';

/** Says whose password a link is for, sets it, once, and shows the result. */
export function SetPassword({ token }: { token: string | undefined }) {
  if (token === undefined || !isWholeToken(token))
    return (
      <Screen title={words.incompleteTitle} text={words.incompleteText}>
        <Back />
      </Screen>
    );
  return <WholeLink token={token} />;
}

function WholeLink({ token }: { token: string }) {
  const { data: link, error, refetch } = useQuery(accountLinkQuery(token));
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
  if (error !== null)
    return (
      <Screen title={words.unread} text={error.message}>
        <div>
          <Button onClick={() => void refetch()}>{words.retry}</Button>
        </div>
      </Screen>
    );
  if (link === undefined) return <Screen title={words.title} text={words.opening} />;
  if (link.result !== 'Password' || result === 'Failed')
    return (
      <Screen title={words.failedTitle} text={words.failedText}>
        <AdminContact before={words.ask} />
        <Back />
      </Screen>
    );
  const { email, displayName } = link;
  return (
    <Screen title={words.title} text={words.text}>
      <p className="wrap-anywhere text-body font-head text-ink">
        {displayName}
        {displayName !== undefined && <br />}
        <bdi dir="ltr">{email}</bdi>
      </p>
      <LinkedPasswordForm token={token} email={email} onResult={setResult} />
    </Screen>
  );
}

function Back() {
  return (
    <div>
      <ButtonLink render={<Link to="/login" />}>{words.back}</ButtonLink>
    </div>
  );
}

function Screen({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
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
