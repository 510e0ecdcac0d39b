import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { SetPassword } from '../../features/set-password/SetPassword.tsx';

export const Route = createFileRoute('/_public/set-password')({
  validateSearch: (search: Record<string, unknown>): { jwt?: string | undefined } => ({
    jwt: typeof search['jwt'] === 'string' && search['jwt'] !== '' ? search['jwt'] : undefined,
  }),
  component: ByLink,
});

function ByLink() {
  const { jwt } = Route.useSearch();
  const navigate = Route.useNavigate();
  // Moved from the URL to state: URLs end up in histories, screenshots and shared links.
  const [token, setToken] = useState(jwt);
  if (jwt !== undefined && jwt !== token) setToken(jwt);
  useEffect(() => {
    if (jwt === undefined) return;
    void navigate({ search: {}, replace: true });
  }, [jwt, navigate]);
  return <SetPassword key={token} token={token} />;
}
