import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { signInCopy } from '../../features/sign-in/copy.ts';
import { LoginForm } from '../../features/sign-in/LoginForm.tsx';
import { redirectTarget } from '../../features/sign-in/redirect-target.ts';
import { configQuery } from '../../data/queries-account.ts';
import { tellTabs } from '../../data/session-channel.ts';
import { clearSession, isSignedIn } from '../../data/session.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';

export const Route = createFileRoute('/_public/login')({
  // Every key must be present: the router keeps the raw value of a key that is left out.
  validateSearch: (search: Record<string, unknown>): { redirect?: string | undefined } => ({
    redirect: redirectTarget(search['redirect']),
  }),
  beforeLoad: async ({ context, search }) => {
    if (await isSignedIn(context.queryClient))
      throw redirect({ href: search.redirect ?? '/', replace: true });
  },
  component: Login,
});

function Login() {
  const router = useRouter();
  const { queryClient, sessionEnd } = Route.useRouteContext();
  const search = Route.useSearch();
  const { data: config } = useQuery(configQuery);
  const [wants, setWants] = useState<keyof typeof signInCopy.steps>();
  const words = wants === undefined ? signInCopy : signInCopy.steps[wants];
  async function enter(): Promise<void> {
    clearSession(queryClient);
    sessionEnd.resume(false);
    tellTabs('signedIn');
    await router.invalidate();
    await router.navigate({ href: search.redirect ?? '/', replace: true });
  }
  return (
    <>
      <h1 tabIndex={-1} className="mt-10 text-display">
        {words.title}
      </h1>
      <p className="mt-2 mb-8 text-body text-ink2">{words.text}</p>
      <LoginForm
        onSignedIn={enter}
        onStep={setWants}
        aside={<TextLink render={<Link to="/reset-password" />}>{signInCopy.forgot}</TextLink>}
        footer={
          config?.isRegistrationOpen !== false && (
            <p className="mt-2 text-body text-ink2">
              {signInCopy.noAccount} <TextLink render={<Link to="/signup" />}>{signInCopy.signUp}</TextLink>
            </p>
          )
        }
      />
    </>
  );
}
