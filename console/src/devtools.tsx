import type { QueryClient } from '@tanstack/react-query';
import { ReactQueryDevtools } from '@tanstack/react-query-devtools';
import type { AnyRouter } from '@tanstack/react-router';
import { TanStackRouterDevtools } from '@tanstack/react-router-devtools';
import { createRoot } from 'react-dom/client';

/** Shows the panels of the router and of the query cache, each behind a button in a lower corner. Only `npm run dev` loads them. */
export function showDevtools(router: AnyRouter, queryClient: QueryClient): void {
  const element = document.createElement('div');
  document.body.append(element);
  createRoot(element).render(
    <>
      <TanStackRouterDevtools router={router} position="bottom-left" />
      <ReactQueryDevtools client={queryClient} buttonPosition="bottom-right" />
    </>,
  );
}
