import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { signInCopy } from '../../features/sign-in/copy.ts';
import { LoginForm } from '../../features/sign-in/LoginForm.tsx';
import { redirectTarget } from '../../features/sign-in/redirect-target.ts';
import { hubOf, type SignInStep } from '../../data/hub.ts';
import { configQuery } from '../../data/queries-account.ts';
import { tellTabs } from '../../data/session-channel.ts';
import { clearSession, isSignedIn } from '../../data/session.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';

interface Search {
  readonly redirect?: string | undefined;
  /** What a sign-in at the provider still takes. */
  readonly wants?: SignInStep['wants'] | undefined;
  /** Why one did not succeed. */
  readonly provider?: string | undefined;
  /** Whether somebody has just signed out, maybe at the provider, too. */
  readonly signedOut?: true | undefined;
}

export const Route = createFileRoute('/_public/login')({
  // Every key must be present: the router keeps the raw value of a key that is left out.
  validateSearch: ({ redirect: target, wants, provider, signedOut }: Record<string, unknown>): Search => ({
    redirect: redirectTarget(target),
    wants: wants === 'factor' || wants === 'enrolment' ? wants : undefined,
    provider: typeof provider === 'string' ? provider : undefined,
    signedOut: signedOut === true ? true : undefined,
  }),
  beforeLoad: async ({ context, search }) => {
    if (await isSignedIn(context.queryClient))
      throw redirect({ href: search.redirect ?? '/', replace: true });
  },
  loaderDeps: ({ search: { wants } }) => ({ wants }),
  // A sign-in that has ended meanwhile starts again.
  loader: ({ context: { queryClient }, deps: { wants } }) =>
    wants &&
    hubOf(queryClient)
      .resumeSignIn()
      .catch(() => undefined),
  component: Login,
});

const loadProviderButton = async () => {
  const { ProviderButton } = await import('../../features/sign-in/ProviderButton.tsx');
  return (props: ComponentProps<typeof ProviderButton>) => <ProviderButton {...props} />;
};

function Login() {
  const router = useRouter();
  const { queryClient, sessionEnd } = Route.useRouteContext();
  const { provider: problem, signedOut, ...search } = Route.useSearch();
  const firstStep = Route.useLoaderData();
  const { data: config } = useQuery(configQuery);
  const renderProvider = useLazyModule(loadProviderButton, config?.providerName !== undefined);
  const [wants, setWants] = useState(firstStep?.wants);
  // Without a provider to show, the form is all there is.
  const [isAsked, setIsAsked] = useState(firstStep !== undefined);
  const hasForm = isAsked || !config?.prefersProvider || config.providerName === undefined;
  const words = wants !== undefined ? signInCopy.steps[wants] : signedOut ? signInCopy.signedOut : signInCopy;
  const provider =
    config?.providerName !== undefined &&
    renderProvider?.({
      name: config.providerName,
      redirect: search.redirect,
      problem,
      onOther: hasForm ? undefined : () => setIsAsked(true),
    });
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
      <p className="mt-2 mb-8 text-body text-ink2">{(hasForm || signedOut) && words.text}</p>
      {hasForm ? (
        <LoginForm
          onSignedIn={enter}
          onStep={setWants}
          firstStep={firstStep}
          aside={<TextLink render={<Link to="/reset-password" />}>{signInCopy.forgot}</TextLink>}
          footer={
            <>
              {provider}
              {config?.isRegistrationOpen !== false && (
                <p className="mt-2 text-body text-ink2">
                  {signInCopy.noAccount}{' '}
                  <TextLink render={<Link to="/signup" />}>{signInCopy.signUp}</TextLink>
                </p>
              )}
            </>
          }
        />
      ) : (
        provider
      )}
    </>
  );
}
