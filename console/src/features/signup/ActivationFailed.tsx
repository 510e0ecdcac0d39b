import { Link } from '@tanstack/react-router';
import { CircleX } from 'lucide-react';
import { signUpCopy } from './copy.ts';
import { Button } from '../../ui/action/Button.tsx';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { OutcomeScreen } from './OutcomeScreen.tsx';

const { verify: text } = signUpCopy;

/** Says that the account was not activated, and why; with `onRetry` it offers to retry. */
export function ActivationFailed({
  message,
  onRetry,
}: {
  message: string;
  onRetry?: (() => void) | undefined;
}) {
  return (
    <OutcomeScreen
      tone="danger"
      icon={<CircleX size={24} aria-hidden />}
      title={text.failed}
      titleEnd={text.failedText}
      actions={
        <>
          {onRetry !== undefined && (
            <Button variant="primary" onClick={onRetry}>
              {text.retry}
            </Button>
          )}
          <ButtonLink variant={onRetry === undefined ? 'primary' : 'secondary'} render={<Link to="/login" />}>
            {text.signIn}
          </ButtonLink>
          <ButtonLink variant="quiet" render={<Link to="/signup" />}>
            {text.signUp}
          </ButtonLink>
        </>
      }
    >
      <Notice tone="danger" title={text.errorTitle}>
        {message}
      </Notice>
    </OutcomeScreen>
  );
}
