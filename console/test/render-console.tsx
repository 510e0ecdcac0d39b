import { CSPProvider } from '@base-ui/react/csp-provider';
import type { AnswerTable } from '@corral/client';
import type { LiveListener } from '../src/data/live-stream.ts';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ExoticComponent, Fragment, type ReactNode } from 'react';
import { replayWrites } from '../src/data/replay.ts';
import { createSessionEnd } from '../src/shell/session-end.ts';
import type { Hub } from '../src/data/hub.ts';
import { createLive } from '../src/data/live.ts';
import { toLiveListener } from '../src/data/stale-queries.ts';
import { createQueryClient } from '../src/data/query-client.ts';
import { isSessionConfirmed } from '../src/data/session.ts';
import { stubHub } from '../src/data/stub-hub.ts';
import { reportCaughtError } from '../src/report-caught-error.ts';
import { createConsoleRouter } from '../src/router.tsx';

/** The user in `signedIn`. */
export const userId = 'u_7KqW2x9RvHy8cBq1sw7Fd4';

/** The answers that every signed-in page needs. */
export const signedIn: AnswerTable = {
  actor_GetActor: () => ({ actor: { actor: 'User', kind: 'User', userId } }),
  users_GetUserDetails: () => ({
    userId,
    email: 'mara@harbour.example',
    displayName: 'Mara Keller',
    isAdmin: false,
  }),
  users_GetUserIdentities: () => ({ identities: [] }),
  users_QuerySignIns: () => ({ signIns: [] }),
  users_GetSecondFactors: () => ({
    passkeys: [],
    recoveryCodesLeft: 0,
    isRequired: false,
    confirmsBy: ['password'],
  }),
  users_QueryUserProjectInvitations: () => ({ invitations: [] }),
  users_QueryUserRepositoryInvitations: () => ({ invitations: [] }),
  users_QueryUserProjects: () => ({ projects: [] }),
  users_QueryUserRepositories: () => ({ repositories: [] }),
  alerts_CountAlerts: () => ({ firing: 0, acknowledged: 0, pending: 0 }),
  alerts_QueryAlerts: () => ({ alerts: [] }),
  alerts_QueryRules: () => ({ rules: [] }),
  alerts_QueryMutes: () => ({ mutes: [] }),
};

/** The answers to a visitor who is not signed in. */
export const signedOut: AnswerTable = {
  actor_GetActor: () => ({ actor: { actor: 'Anonymous', kind: 'Anonymous' } }),
};

/** A hub without a mail server. */
export const withoutMail: Pick<Hub, 'readConfig'> = {
  readConfig: async () => ({
    scripts: [],
    isInsecure: false,
    isRegistrationOpen: true,
    isMailConfigured: false,
    adminContact: 'mailto:ops@harbour.example',
  }),
};

// jsdom does not implement scrolling.
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};

/** Renders the whole console at an address, over tables of answers. `stream()` is the listener of the live stream, for tests to call. */
export function renderConsole(
  address: string,
  answers: AnswerTable,
  overrides: Partial<Omit<Hub, 'invoke'>> = {},
  Mode: ExoticComponent<{ children?: ReactNode }> = Fragment,
) {
  const sessionEnd = createSessionEnd();
  const queryClient: QueryClient = createQueryClient({
    hub: stubHub(answers, overrides),
    onSignedOut: () => {
      if (isSessionConfirmed(queryClient)) sessionEnd.end('ended');
    },
    retryDelayMs: () => 0,
  });
  replayWrites(queryClient, sessionEnd.signedInAgain);
  let listener: LiveListener | undefined;
  const live = createLive(queryClient, (subscribed) => {
    listener = toLiveListener(subscribed);
    return () => {
      listener = undefined;
    };
  });
  const router = createConsoleRouter({ queryClient, live, sessionEnd });
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  const view = render(
    <Mode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </CSPProvider>
    </Mode>,
    { onCaughtError: reportCaughtError },
  );
  return {
    ...view,
    router,
    queryClient,
    user: userEvent.setup(),
    address: () => router.state.location.href,
    stream: () => listener,
  };
}

/** A promise that the test resolves or rejects, for answers with a controlled time. */
export function held<Value>(): {
  promise: Promise<Value>;
  resolve: (value: Value) => void;
  reject: (error: Error) => void;
} {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  return { promise, resolve, reject };
}
