import type { QueryClient } from '@tanstack/react-query';
import { createRouter, parseSearchWith } from '@tanstack/react-router';
import type { SessionEnd } from './shell/session-end.ts';
import type { Live } from './data/live.ts';
import { DefaultNotFound } from './shell/not-found/DefaultNotFound.tsx';
import { PendingScreen } from './shell/PendingScreen.tsx';
import { RouteErrorScreen } from './shell/RouteErrorScreen.tsx';
import { routeTree } from './route-tree.gen.ts';

/** The context of every route's loader. */
export type RouterContext = { queryClient: QueryClient; live: Live; sessionEnd: SessionEnd };

/** Creates the router of the console. Its five time limits are part of the product's specification. */
export function createConsoleRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    // Long numbers stay text: read as numbers they would lose digits. Text is in quotes where it may be taken for something else.
    parseSearch: parseSearchWith((text) => (text.startsWith('"') ? JSON.parse(text) : text)),
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
