import { CSPProvider } from '@base-ui/react/csp-provider';
import { DirectionProvider } from '@base-ui/react/direction-provider';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { uiCopy } from './ui/copy.ts';
import { replayWrites } from './data/replay.ts';
import { createSessionEnd } from './shell/session-end.ts';
import { hubOverHttp } from './data/hub.ts';
import { onHubOffset } from './data/hub-clock.ts';
import { createVersionWatch } from './data/hub-version.ts';
import { createLive } from './data/live.ts';
import { createLiveCursor } from './data/live-cursor.ts';
import { createQueryClient } from './data/query-client.ts';
import { isSessionConfirmed } from './data/session.ts';
import { addRuntimeScripts } from './data/runtime-scripts.ts';
import { hubStream } from './hub-stream.ts';
import { reloadOnceForMissingChunks } from './reload-once.ts';
import { reportCaughtError } from './report-caught-error.ts';
import { createConsoleRouter } from './router.tsx';
import { showToast } from './ui/overlay/toast.ts';
import { prepareAnnouncements } from './ui/text/announce.ts';
import { setTimeOffset } from './ui/time/use-now.ts';
import './ui/style/app.css';

reloadOnceForMissingChunks();
prepareAnnouncements();
onHubOffset(setTimeOffset);

const sessionEnd = createSessionEnd();
const liveCursor = createLiveCursor();
const queryClient: QueryClient = createQueryClient({
  hub: hubOverHttp({ onVersion: createVersionWatch(showUpdateToast), onLiveCursor: liveCursor.noteRead }),
  onSignedOut: () => {
    if (isSessionConfirmed(queryClient)) sessionEnd.end('ended');
  },
});
replayWrites(queryClient, sessionEnd.signedInAgain);
const live = createLive(queryClient, hubStream(liveCursor));
const router = createConsoleRouter({ queryClient, live, sessionEnd });
void addRuntimeScripts(queryClient);
// The build replaces the condition by false and drops the import.
if (import.meta.env.DEV)
  void import('./devtools.tsx').then(({ showDevtools }) => showDevtools(router, queryClient));

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element #app.');

createRoot(root, { onCaughtError: reportCaughtError }).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </DirectionProvider>
    </CSPProvider>
  </StrictMode>,
);

function showUpdateToast(): void {
  showToast(uiCopy.error.updated, {
    text: uiCopy.error.updatedText,
    durationMs: 0,
    action: { label: uiCopy.error.reload, onClick: () => window.location.reload() },
  });
}
