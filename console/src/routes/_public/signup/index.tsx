import { useQuery } from '@tanstack/react-query';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { configQuery, invitationLinkQuery } from '../../../data/queries-account.ts';
import { isSignedIn } from '../../../data/session.ts';
import { isWholeToken } from '../../../parts/link-token.ts';
import { signUpCopy } from '../../../features/signup/copy.ts';
import { ClosedSignUp } from '../../../features/signup/ClosedSignUp.tsx';
import { EndedInvitation } from '../../../features/signup/EndedInvitation.tsx';
import { SignUp } from '../../../features/signup/SignUp.tsx';
import { announceHeading } from '../../../features/signup/use-announced-heading.ts';
import { Waiting } from '../../../features/signup/Waiting.tsx';

export const Route = createFileRoute('/_public/signup/')({
  validateSearch: (search: Record<string, unknown>): { invitation?: string | undefined } => ({
    invitation:
      typeof search['invitation'] === 'string' && search['invitation'] !== ''
        ? search['invitation']
        : undefined,
  }),
  beforeLoad: async ({ context, search }) => {
    // Who has an account and is signed in finds the invitation there.
    if (search.invitation !== undefined && (await isSignedIn(context.queryClient)))
      throw redirect({ to: '/user/invitations', search: { link: search.invitation }, replace: true });
  },
  component: SignUpPage,
});

function SignUpPage() {
  const { invitation } = Route.useSearch();
  const navigate = Route.useNavigate();
  // Moved from the URL to state: URLs end up in histories, screenshots and shared links.
  const [token, setToken] = useState(invitation);
  if (invitation !== undefined && invitation !== token) setToken(invitation);
  useEffect(() => {
    if (invitation !== undefined) void navigate({ search: {}, replace: true });
  }, [invitation, navigate]);
  return token === undefined ? <Uninvited /> : <Invited token={token} />;
}

function Uninvited() {
  const { data: config } = useQuery(configQuery);
  return config?.isRegistrationOpen === false ? <ClosedSignUp /> : <SignUp />;
}

function Invited({ token }: { token: string }) {
  const isWhole = isWholeToken(token);
  const { data: invitation, error, refetch } = useQuery({ ...invitationLinkQuery(token), enabled: isWhole });
  const isWaiting = isWhole && invitation === undefined && error === null;
  useEffect(() => {
    if (!isWaiting) announceHeading(document.querySelector('h1'));
  }, [isWaiting]);
  if (invitation?.result === 'Found') return <SignUp key={token} invitation={{ ...invitation, token }} />;
  if (isWaiting)
    return <Waiting title={signUpCopy.invitation.waiting} text={signUpCopy.invitation.waitingText} />;
  return (
    <>
      <EndedInvitation
        isWhole={isWhole}
        unread={error === null ? undefined : { message: error.message, retry: () => void refetch() }}
      />
      <Uninvited />
    </>
  );
}
