import type { Id } from '@corral/contract';
import { createFileRoute } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { documentCopy } from '../shell/document-copy.ts';
import { AppShell } from '../shell/AppShell.tsx';
import { NotFoundScreen } from '../shell/not-found/NotFoundScreen.tsx';
import { NotFoundText } from '../shell/not-found/NotFoundText.tsx';
import { openPalette } from '../shell/palette/palette-state.ts';
import { PublicFrame } from '../shell/public/PublicFrame.tsx';
import { userQuery } from '../data/queries-account.ts';
import { isSignedIn, signedInUserId } from '../data/session.ts';
import { Button } from '../ui/action/Button.tsx';

export const Route = createFileRoute('/$')({
  loader: async ({ context: { queryClient } }): Promise<{ userId?: Id<'user'> }> => {
    if (!(await isSignedIn(queryClient))) return {};
    const userId = signedInUserId(queryClient);
    await queryClient.prefetchQuery(userQuery(userId));
    return { userId };
  },
  component: UnknownAddress,
});

function UnknownAddress() {
  const { userId } = Route.useLoaderData();
  const { _splat: path = '' } = Route.useParams();
  if (userId === undefined) return <ForVisitors />;
  const word = path.split('/').findLast((segment) => segment !== '');
  return (
    <AppShell userId={userId}>
      <NotFoundScreen>{word !== undefined && <SearchFor word={word} />}</NotFoundScreen>
    </AppShell>
  );
}

function SearchFor({ word }: { word: string }) {
  return (
    <div>
      <Button icon={<Search size={15} aria-hidden />} onClick={() => openPalette(word)}>
        <span className="max-w-64 truncate">{documentCopy.notFound.search(word)}</span>
      </Button>
    </div>
  );
}

function ForVisitors() {
  return (
    <PublicFrame>
      <div className="mt-10 flex flex-col gap-4">
        <NotFoundText />
      </div>
    </PublicFrame>
  );
}
