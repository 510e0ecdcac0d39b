import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import type { SessionEnd } from './components/session-end.ts';
import type { Live } from './data/live.ts';
import { DefaultNotFound } from './components/DefaultNotFound.tsx';
import { PendingScreen } from './components/PendingScreen.tsx';
import { RouteErrorScreen } from './components/RouteErrorScreen.tsx';
import { routeTree } from './route-tree.gen.ts';

/** The context of every route's loader. */
export type RouterContext = { queryClient: QueryClient; live: Live; sessionEnd: SessionEnd };

/** Creates the router of the console. Its five time limits are part of the product's specification. */
export function createConsoleRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    defaultPendingMs: 1000,
    defaultPendingMinMs: 500,
    defaultPreloadDelay: 50,
    defaultGcTime: 300_000,
    defaultPreloadStaleTime: 30_000,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: PendingScreen,
    defaultErrorComponent: RouteErrorScreen,
    defaultNotFoundComponent: DefaultNotFound,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
